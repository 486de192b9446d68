import { describe, expect, it } from "vitest";
import { EMPTY, handle, landing, type Hand, type Meaning, type Motion } from "../../src/board/pointer.ts";

const down = (place = "c2", liftable = true): Motion => ({ kind: "down", id: 1, place, key: place, liftable, x: 100, y: 100 });
const move = (x: number, y: number): Motion => ({ kind: "move", id: 1, x, y });
const up = (x: number, y: number, at = 0): Motion => ({ kind: "up", id: 1, x, y, at });

function meant(...motions: Motion[]): [Meaning[], Hand] {
  let hand = EMPTY;
  const meanings: Meaning[] = [];
  for (const motion of motions) {
    const [next, meaning] = handle(hand, motion);
    hand = next;
    if (meaning) meanings.push(meaning);
  }
  return [meanings, hand];
}

describe("the pointer", () => {
  it("taps at once", () => {
    expect(meant(down(), up(101, 102))[0]).toEqual([{ kind: "tap", place: "c2" }]);
  });

  it("carries a card after 8 pixels, and drops it", () => {
    expect(meant(down(), move(104, 104), move(107, 106), move(150, 90), up(150, 90))[0]).toEqual([
      { kind: "carry", place: "c2", dx: 7, dy: 6 },
      { kind: "carry", place: "c2", dx: 50, dy: -10 },
      { kind: "drop", place: "c2", x: 150, y: 90, dx: 50, dy: -10 },
    ]);
  });

  it("neither carries nor taps what may not be lifted, once it has moved", () => {
    expect(meant(down("S", false), move(140, 100), up(140, 100))[0]).toEqual([]);
  });

  it("takes a second tap within 300 ms on the same place as a double tap", () => {
    expect(meant(down(), up(100, 100, 1000), down(), up(100, 100, 1300))[0].map(({ kind }) => kind)).toEqual(["tap", "double"]);
    expect(meant(down(), up(100, 100, 1000), down(), up(100, 100, 1301))[0].map(({ kind }) => kind)).toEqual(["tap", "tap"]);
    expect(meant(down(), up(100, 100, 1000), down("d2"), up(100, 100, 1100))[0].map(({ kind }) => kind)).toEqual(["tap", "tap"]);
  });

  it("takes a third tap as a new one", () => {
    const tap = (at: number): Motion[] => [down(), up(100, 100, at)];
    expect(meant(...tap(0), ...tap(100), ...tap(200))[0].map(({ kind }) => kind)).toEqual(["tap", "double", "tap"]);
  });

  it("turns the stock as fast as one taps", () => {
    expect(meant(down("S", false), up(100, 100, 0), down("S", false), up(100, 100, 90))[0].map(({ kind }) => kind)).toEqual(["tap", "tap"]);
  });

  it("puts the card back when the system takes the pointer away", () => {
    const [meanings, hand] = meant(down(), move(150, 100), { kind: "cancel" });
    expect(meanings.at(-1)).toEqual({ kind: "back", place: "c2" });
    expect(hand).toEqual(EMPTY);
    expect(meant(down(), { kind: "cancel" }, up(100, 100))[0]).toEqual([]);
  });

  it("looks at a pile that is pressed for long, and does not tap it then", () => {
    expect(meant(down(), { kind: "hold" }, up(100, 100))[0]).toEqual([{ kind: "peek", place: "c2", key: "c2" }]);
    expect(meant(down(), move(150, 100), { kind: "hold" }).flat().at(-1)).toMatchObject({ held: { lifted: true } });
  });

  it("pays no heed to a second finger", () => {
    const other: Motion = { kind: "down", id: 2, place: "d2", key: "d2", liftable: true, x: 300, y: 300 };
    expect(meant(down(), other, { kind: "up", id: 2, x: 300, y: 300, at: 5 }, up(100, 100))[0]).toEqual([{ kind: "tap", place: "c2" }]);
  });
});

describe("a card let go", () => {
  const spot = (name: string, left: number, top: number) => ({ name, left, top, width: 40, height: 56 });
  const all = [spot("a1", 0, 0), spot("b1", 42, 0), spot("a2", 0, 60)];

  it("lands on the nearest legal pile within reach", () => {
    expect(landing(45, 62, [spot("a1", 0, 0), spot("b1", 42, 0)], all)?.name).toBe("b1");
  });

  it("lands on the pile under it where no legal one is near, so that the game says why not", () => {
    expect(landing(10, 100, [spot("h1", 400, 0)], all)?.name).toBe("a2");
  });

  it("lands nowhere beside the board", () => {
    expect(landing(300, 300, [], all)).toBeNull();
  });
});
