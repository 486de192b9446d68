/** How large a board's cells are in the space that it is given, and what lies where. */

export interface Frame {
  /** Whether stock and waste lie beside the rows, with the rows' names at the left; else under them, with names above. */
  side: boolean;
  width: number; // of a cell
  height: number;
  gap: number; // between columns
  lines: number; // between rows: wider where there is room
  names: number; // room for a row's name: a width beside, a height above
  court: number; // height of the strip of court cards, 0 where there are none
  padding: number;
}

const TALL = 1.4; // a card's height by its width
const LEAST = 1.15; // below this a card is better made narrower ...
const BROAD = 62; // ... but not narrower than this, which a thumb still finds
const MOST = 132;
export const BESIDE = 14; // between the stock and the names of the rows

/** Of both arrangements the one with the larger cells. */
export function frameOf(width: number, height: number, court: boolean): Frame {
  const [side, under] = [true, false].map((at) => arranged(width, height, court, at)) as [Frame, Frame];
  return side.width * side.height >= under.width * under.height ? side : under;
}

function arranged(width: number, height: number, court: boolean, side: boolean): Frame {
  const narrow = width < 480;
  const low = height < 420;
  const padding = narrow ? 3 : low ? 6 : 8;
  const gap = narrow ? 2 : low ? 3 : Math.round(Math.min(width, height) / 110);
  const names = side ? (width < 900 ? 100 : 108) : narrow ? 14 : 20;
  const strip = court ? Math.round(Math.max(20, Math.min(56, height / 13, width / 11))) : 0;
  const across = width - 2 * padding - (side ? names + BESIDE + 8 * gap : 7 * gap);
  const down = height - 2 * padding - strip - (side ? 4 * gap : 5 * gap + 6 * names);
  const [columns, rows] = side ? [9, 5] : [8, 6];
  const cell = cellOf(across / columns, down / rows);
  const spare = (down - rows * cell.height) / rows;
  return { side, gap, lines: gap + Math.max(0, Math.min(Math.floor(spare), 16)), names, padding, court: strip, ...cell };
}

function cellOf(across: number, down: number): { width: number; height: number } {
  const widest = Math.min(MOST, across);
  const height = Math.max(24, Math.min(down, widest * TALL));
  const width = height < widest * LEAST ? Math.max(height / LEAST, Math.min(widest, BROAD)) : widest;
  return { width: Math.max(37, Math.floor(width)), height: Math.floor(height) };
}

export type Face = "" | "-big" | "-flat";

/** Which layout of the faces is best seen on such a cell. */
export function faceOf(frame: Frame, wanted: "auto" | "art" | "big"): Face {
  if (frame.height < frame.width * 1.1) return "-flat";
  if (wanted === "auto") return frame.width < 56 ? "-big" : "";
  return wanted === "big" ? "-big" : "";
}
