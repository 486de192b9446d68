import { describe, expect, it } from "vitest";
import { faceOf, frameOf } from "../../src/board/frame.ts";
import { foundationFor, journeys, pilesOf } from "../../src/board/piles.ts";
import { endsOf } from "../../src/game/places.ts";
import { board } from "./view.ts";

describe("piles", () => {
  const piles = pilesOf(board(), null);

  it("are drawn with a card that waits for its answer where it was put", () => {
    const pending = pilesOf(board(), ["a1", "G"]);
    expect(pending["a1"]).toBe("9S8D");
    expect(pending["G1"]).toBe("AC2C3C4C5C6C7C");
    expect(pilesOf(board(), ["b2", "c1"])).toMatchObject({ b2: "", c1: "4S3D" });
    expect(pilesOf(board(), ["S", "W"])).toEqual(piles);
  });

  it("know where in the Government a card would lie", () => {
    expect(foundationFor(piles, "7C")).toBe("G1");
    expect(foundationFor(piles, "2C")).toBe("G2");
    expect(foundationFor(piles, "9C")).toBeNull();
  });

  it("tell where each card went", () => {
    const after = pilesOf(board({ rows: [["9S8D7C6D", ...board().rows[0]?.slice(1) ?? []], ...board().rows.slice(1)] }), null);
    expect(journeys({ ...piles, b2: "6D" }, { ...after, b2: "TS" })).toEqual([["b2", "a1"], ["S", "b2"]]);
    expect(journeys(piles, piles)).toEqual([]);
  });

  it("read the notation", () => {
    expect(["c2f1", "d1G", "Wb4", "S"].map(endsOf)).toEqual([["c2", "f1"], ["d1", "G"], ["W", "b4"], ["S", "W"]]);
  });
});

describe("the board's frame", () => {
  it.each([
    [320, 500, false],
    [360, 600, true],
    [390, 700, true],
    [784, 340, true],
    [768, 900, false],
    [1080, 740, true],
    [1920, 1000, false],
  ])("fits %i by %i", (width, height, court) => {
    const frame = frameOf(width, height, court);
    const columns = frame.side ? 9 : 8;
    const rows = frame.side ? 5 : 6;
    const names = frame.side ? 0 : 6 * frame.names;
    expect(frame.width).toBeGreaterThanOrEqual(37);
    expect(columns * frame.width + (columns + 1) * frame.gap + (frame.side ? frame.names : 0)).toBeLessThanOrEqual(width);
    expect(rows * frame.height + (rows - 1) * frame.lines + names + frame.court).toBeLessThanOrEqual(height);
  });

  it("has cells of 37 px on the least phone and of about 96 on a desktop", () => {
    expect(frameOf(320, 500, false).width).toBe(37);
    expect(frameOf(1080, 744, true).width).toBeGreaterThanOrEqual(90);
  });

  it("takes the faces that can be read", () => {
    expect(faceOf(frameOf(320, 500, false), "auto")).toBe("-big");
    expect(faceOf(frameOf(1280, 740, false), "auto")).toBe("");
    expect(faceOf(frameOf(784, 340, false), "auto")).toBe("-flat");
    expect(faceOf(frameOf(1280, 740, false), "big")).toBe("-big");
    expect(faceOf(frameOf(320, 500, false), "art")).toBe("");
  });
});
