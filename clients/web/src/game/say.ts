/** The sentence for whatever there is to tell, in the language of the page. */
import { cardName, placeName } from "../board/names.ts";
import type { Event, Hint, Session } from "../sdk/index.ts";
import { i18n } from "../words/words.svelte.ts";
import type { Saying } from "./model.ts";
import { cardsAt, endsOf, topCard } from "./places.ts";
import type { Card, Place } from "./types.ts";

export function say(saying: Saying): string {
  const words = i18n.words.game;
  switch (saying.say) {
    case "event":
      return eventText(saying.event, saying.card, saying.who);
    case "refused":
      return words.refused(reasonText(saying.reason, saying.detail));
    case "stale":
      return words.stale;
    case "reset":
      return words.reset(saying.seq);
    case "hint":
      return hintText(saying.hint, saying.costs);
    case "outlook":
      return words.outlook[saying.winnable];
    case "picked":
      return saying.moves ? words.picked(first(saying.card), saying.moves) : words.pickedStuck(first(saying.card));
    case "putBack":
      return words.putBack(first(saying.card));
    case "mustFill":
      return words.vacancy(placeName(saying.place));
    case "bad":
      return words.bad(saying.text);
    case "consentWanted":
      return words.consentWanted(saying.who, saying.count);
    case "consentAsked":
      return words.consentAsked;
    case "reaction":
      return words.reaction(saying.who, phraseText(saying.phrase));
    case "plain":
      return words.plain[saying.text];
    case "pile":
      return pileText(saying.view, saying.place);
    case "legal":
      return legalText(saying.view);
    case "last":
      return saying.last ? words.last(placeName(saying.last[0]), placeName(saying.last[1])) : words.noLast;
    case "status":
      return statusText(saying.view);
    case "stock":
      return stockText(saying.view);
  }
}

/** Why something was refused; what the service says itself where it has a reason that is not known here. */
export function reasonText(reason: string, detail: string): string {
  const reasons: Readonly<Record<string, string>> = i18n.words.reasons;
  return reasons[reason] ?? detail;
}

export function phraseText(phrase: string): string {
  const phrases: Readonly<Record<string, string>> = i18n.words.play.phrases;
  return phrases[phrase] ?? phrase;
}

function eventText(event: Event, card: Card | null, who: string | null): string {
  const words = i18n.words.game;
  const done = doneText(event, card);
  const sentences = [who === null ? done : words.by(who, done)];
  for (const [place, shown] of event.revealed) if (event.kind !== "turn") sentences.push(words.revealed(cardName(shown), placeName(place)));
  if (event.status === "won") sentences.push(words.won);
  else if (event.status === "stuck") sentences.push(words.stuck);
  else if (event.must_fill) sentences.push(words.vacancy(placeName(event.must_fill)));
  return sentences.join(" ");
}

function doneText(event: Event, card: Card | null): string {
  const words = i18n.words.game;
  const ends = event.move ? endsOf(event.move).map(placeName) : [];
  const [from = "", to = ""] = ends;
  const name = card ? first(card) : "";
  switch (event.kind) {
    case "promote":
      return words.promoted(name, from);
    case "fill":
      return words.filled(name, from, to);
    case "turn":
      return words.turned(cardName(event.revealed[0]?.[1] ?? event.waste.slice(-2)));
    case "build":
    case "lateral":
    case "people":
      return words.moved(name, from, to);
    case "undo":
      return words.undone(event.count ?? 0);
    case "redo":
      return words.redone(event.count ?? 0);
    case "restart":
      return words.restarted;
    case "resign":
      return words.resigned;
    case "hint":
      return words.hinted;
    case "ask":
      return words.asked;
    case "consent":
      return words.consentAsked;
  }
}

function hintText({ winnable, place, card, move }: Hint, costs: boolean): string {
  const words = i18n.words.game.hint;
  if (!place) return winnable === "no" ? words.lost : words.unknown;
  const name = card ? cardName(card) : "";
  const what =
    place === "S" ? words.turn : move ? words.move(name, ...placesOf(move)) : card ? words.card(name, placeName(place)) : words.place(placeName(place));
  return costs ? `${what} ${words.cost}` : what;
}

function legalText(view: Session): string {
  const words = i18n.words.game;
  if (!view.legal.length) return words.plain.noMoves;
  const moves = view.legal.map(({ move, kind }) => {
    const from = endsOf(move)[0];
    const card = topCard(view, from);
    return kind === "turn" || !card ? words.legalTurn : words.legalMove(cardName(card), ...placesOf(move));
  });
  return words.legal(moves.length, moves.join("; "));
}

function statusText(view: Session): string {
  const words = i18n.words.game;
  const { total, promoted, assists } = view.points;
  const sentences = [words.status(i18n.number(total), promoted, assists, view.seq)];
  if (view.status === "won") sentences.push(words.won);
  if (view.status === "stuck") sentences.push(words.stuck);
  if (view.must_fill) sentences.push(words.vacancy(placeName(view.must_fill)));
  return sentences.join(" ");
}

function stockText(view: Session): string {
  const words = i18n.words.game;
  const waste = view.waste.slice(-2);
  const stock = view.stock ? words.stock(view.stock) : words.stockEmpty;
  return waste ? `${stock} ${words.waste(cardName(waste))}` : stock;
}

function pileText(view: Session, place: Place): string {
  const words = i18n.words.game;
  const cards = cardsAt(view, place).reverse().map(cardName);
  return cards.length ? words.pile(placeName(place), cards.join(", ")) : words.pileEmpty(placeName(place));
}

function placesOf(move: string): [string, string] {
  const [from, to] = endsOf(move);
  return [placeName(from), placeName(to)];
}

/** A card's name as a sentence begins with it. */
function first(card: Card): string {
  const name = cardName(card);
  return name.charAt(0).toLocaleUpperCase(i18n.language) + name.slice(1);
}
