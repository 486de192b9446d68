/** The hand on the board: what the pointer's events do to its cards, and what they ask for. */
import { tick } from "svelte";
import type { Place } from "../game/types.ts";
import { boxes, cellFor, found, topCard, type Found } from "./cells.ts";
import { duration, glide, type Offset } from "./glide.ts";
import { EMPTY, handle, landing, type Hand, type Meaning, type Motion } from "./pointer.ts";

interface Asked {
  liftable(place: Place): boolean;
  legal(key: string): boolean; // whether the card in the hand may be laid there
  pile(place: Place): string;
  /** Whether a tap there lays a card down, and so is not the first half of a double tap. */
  lays(place: Place): boolean;
  tap(place: Place): void;
  double(place: Place): void;
  drop(from: Place, to: Place): void;
  peek(found: Found): void;
}

const HOLD = 500; // milliseconds of pressing that ask for a look at the pile

export class Grip {
  /** The place whose card is in the hand. */
  lifted = $state<Place | null>(null);
  /** How far it was carried. */
  offset: Offset = { dx: 0, dy: 0 };

  #hand: Hand = EMPTY;
  #tapped = ""; // the pile that was tapped last, as it was
  #holding: ReturnType<typeof setTimeout> | undefined;
  readonly #asked: Asked;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  down = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const cell = found(event.target);
    if (!cell || event.button !== 0 || event.ctrlKey) return; // with Control it asks for a menu, on a Mac
    const grid = event.currentTarget;
    grid.setPointerCapture(event.pointerId);
    clearTimeout(this.#holding);
    if (event.pointerType !== "mouse") this.#holding = setTimeout(() => this.#feel(grid, { kind: "hold" }), HOLD);
    const { clientX: x, clientY: y, pointerId } = event;
    this.#feel(grid, { kind: "down", id: pointerId, ...cell, liftable: this.#asked.liftable(cell.place), x, y });
  };

  move = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    this.#feel(event.currentTarget, { kind: "move", id: event.pointerId, x: event.clientX, y: event.clientY });
  };

  up = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    clearTimeout(this.#holding);
    this.#feel(event.currentTarget, { kind: "up", id: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp });
  };

  /** The system took the pointer away: the card goes back. */
  gone = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    clearTimeout(this.#holding);
    this.#feel(event.currentTarget, { kind: "cancel" });
  };

  #feel(grid: HTMLElement, motion: Motion): void {
    const [hand, meaning] = handle(this.#hand, motion);
    this.#hand = hand;
    if (meaning) this.#mean(grid, meaning);
  }

  #mean(grid: HTMLElement, meaning: Meaning): void {
    const { place } = meaning;
    if (meaning.kind === "carry") this.#carry(grid, place, meaning);
    else if (meaning.kind === "drop") void this.#drop(grid, place, meaning);
    else if (meaning.kind === "back") this.#putBack(grid, place);
    else if (meaning.kind === "peek") this.#asked.peek(meaning);
    else if (meaning.kind === "tap") this.#tap(place);
    else if (this.#asked.pile(place) === this.#tapped) this.#asked.double(place); // else the first tap has moved the card
  }

  #tap(place: Place): void {
    if (this.#asked.lays(place)) this.#hand = EMPTY;
    this.#tapped = this.#asked.pile(place);
    this.#asked.tap(place);
  }

  #carry(grid: HTMLElement, place: Place, { dx, dy }: Offset): void {
    clearTimeout(this.#holding);
    this.lifted = place;
    this.offset = { dx, dy };
    topCard(cellFor(grid, place))?.style.setProperty("transform", `translate(${dx}px, ${dy}px)`);
  }

  async #drop(grid: HTMLElement, from: Place, { x, y }: { x: number; y: number }): Promise<void> {
    const cells = boxes(grid).filter(({ key }) => key !== from);
    const to = landing(x, y, cells.filter(({ key }) => this.#asked.legal(key)), cells);
    const card = topCard(cellFor(grid, from));
    const before = card?.dataset["card"];
    if (to) this.#asked.drop(from, to.place);
    await tick(); // if the game lays the card down at once, the board is drawn anew by now
    if (card?.isConnected && card.dataset["card"] === before) this.#putBack(grid, from);
    else this.#letGo(grid, from);
  }

  #putBack(grid: HTMLElement, place: Place): void {
    const card = topCard(cellFor(grid, place));
    if (card) glide(card, this.offset, duration(grid));
    this.#letGo(grid, place);
  }

  #letGo(grid: HTMLElement, place: Place): void {
    topCard(cellFor(grid, place))?.style.removeProperty("transform");
    this.lifted = null;
    this.offset = { dx: 0, dy: 0 };
  }
}
