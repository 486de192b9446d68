/**
 * Makes src/cards/faces.svg and src/cards/court.svg, sprites of symbols, from Adrian Kennard's playing cards (CC0):
 *
 *     node scripts/cards.js FOLDER
 *
 * FOLDER holds AC.svg to KS.svg. Run by hand; what it makes is kept with the sources.
 * Of the art it takes the pips, the glyphs of the ranks and the court figures; the layouts of the cards are made here:
 * `6C` a whole face, `6C-big` for small cards, `6C-flat` for cards broader than high; `-ru` has Cyrillic letters.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { optimize } from "svgo";

const folder = process.argv[2];
if (!folder) throw new Error("usage: node scripts/cards.js FOLDER");

const SUITS = ["C", "D", "H", "S"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J"];
const COURT = ["QD", "KC", "KS", "KH", "KD"];
const CYRILLIC = {
  A: "M-270 -460L270 -460M-270 -460L-270 -330M270 -460L270 -330M0 -460L0 460M-90 460L90 460",
  J: "M-250 -460L30 -460A215 215 0 0 1 30 -30L-190 -30M-250 460L50 460A245 245 0 0 0 50 -30M-190 -460L-190 460",
};
const LINE = 105;

const source = (card) => readFileSync(`${folder}/${card}.svg`, "utf8");

/** What the art's symbol of that name holds. */
function inside(card, id) {
  const found = new RegExp(`<symbol id="${id}"[^>]*>(.*?)</symbol>`, "s").exec(source(card));
  if (!found) throw new Error(`${card} has no symbol ${id}`);
  return found[1];
}

const path = (text) => /\sd="([^"]*)"/.exec(text)[1];
const use = (id, x, y, height, width = height) =>
  `<use href="#${id}" x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${round(height)}"/>`;
const round = (value) => Math.round(value * 100) / 100;
const upsideDown = (content) => `<g transform="rotate(180)">${content}</g>`;
const symbol = (id, box, content, more = "") => `<symbol id="${id}" viewBox="${box}"${more}>${content}</symbol>`;

/** A pip takes its colour from the page: solid, or hollow with the paper's colour inside. */
function pip(suit) {
  const d = path(inside(`A${suit}`, `S${suit}A`));
  const paint = `fill="var(--pip)" stroke="var(--suit)" stroke-width="var(--pip-line)" stroke-linejoin="round"`;
  return symbol(suit, "-600 -600 1200 1200", `<path d="${d}" ${paint}/>`);
}

function glyph(id, d) {
  const paint = `fill="none" stroke="var(--suit)" stroke-width="${LINE}" stroke-linecap="square" stroke-miterlimit="1.5"`;
  return symbol(id, "-500 -500 1000 1000", `<path d="${d}" ${paint}/>`);
}

/** The figure of a court card: layers that each lie there twice, the second time upside down. */
function figure(card) {
  const name = `${card[1]}${card[0]}`;
  const layers = [1, 2, 3, 4, 5, 6].map((layer) => {
    const drawn = slim(ownPips(inside(card, `${name}${layer}`)));
    const id = `${card}-${layer}`;
    return `<g id="${id}">${drawn}</g><use href="#${id}" transform="rotate(180 650 1000)"/>`;
  });
  return symbol(`${card}-figure`, "0 0 1300 2000", layers.join(""));
}

/** The small pips on a figure's dress, by our names. */
const ownPips = (drawing) => drawing.replace(/xlink:href="#S([CDHS])\w" height="(\d+)"/g, 'href="#$1" width="$2" height="$2"');

/** The same drawing in fewer characters; a unit is an eighth of a pixel on the largest card. */
function slim(drawing) {
  const paths = { name: "convertPathData", params: { floatPrecision: 1, transformPrecision: 4 } };
  const given = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1300 2000">${drawing}</svg>`;
  const { data } = optimize(given, { plugins: ["removeComments", "convertTransform", paths, "convertColors", "cleanupNumericValues"] });
  return data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replace(/fill="#fff"/g, 'fill="var(--card)"');
}

/** Where the pips of a rank lie, read from the art: the upper ones, and those in the middle. */
function pips(rank, suit) {
  const body = source(`${rank}${suit}`).split("</rect>")[1];
  const [upright] = body.split("<g transform");
  const places = [...upright.matchAll(/<use xlink:href="#S\w+" height="70" x="([-\d.]+)" y="([-\d.]+)"/g)];
  return places.map(([, x, y]) => [Number(x) + 35, Number(y) + 35]);
}

function whole(rank, suit, letter) {
  const corner = use(letter, -97, -134, 50) + use(suit, -97, -91, 33);
  if (rank === "J") return corner + upsideDown(corner) + use(`J${suit}-figure`, 0, 0, 246, 156) + frame(156, 246);
  if (rank === "A") return corner + upsideDown(corner) + use(suit, 0, 0, 130);
  const places = pips(rank, suit);
  const upper = places.filter(([, y]) => y < -1);
  const middle = places.filter(([, y]) => y >= -1);
  const drawn = (list) => list.map(([x, y]) => use(suit, x * 0.94, y * 0.98, 60)).join("");
  return corner + drawn(upper) + drawn(middle) + upsideDown(corner + drawn(upper));
}

const frame = (width, height) =>
  `<rect x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" fill="none" stroke="var(--court-line)"/>`;

function big(rank, suit, letter) {
  const top = use(letter, -58, -82, 144) + use(suit, 62, -88, 100);
  return top + (rank === "J" ? use(`J${suit}-head`, 0, 85, 166, 214.5) : use(suit, 0, 76, 174));
}

const flat = (rank, suit, letter) => use(letter, -56, 0, 138) + use(suit, 54, 0, 122);

function faces(rank, suit, suffix) {
  const letter = `rank-${rank}${suffix}`;
  return [
    symbol(`${rank}${suit}${suffix}`, "-120 -168 240 336", whole(rank, suit, letter)),
    symbol(`${rank}${suit}-big${suffix}`, "-120 -168 240 336", big(rank, suit, letter)),
    symbol(`${rank}${suit}-flat${suffix}`, "-120 -90 240 180", flat(rank, suit, letter)),
  ].join("");
}

/** Our own: a lattice in a frame, with a rose of eight leaves in the middle. */
function back() {
  const lines = [];
  for (let at = -480; at <= 480; at += 24) lines.push(`M${at} -168l336 336M${at} 168l336 -336`);
  const leaves = [0, 45, 90, 135, 180, 225, 270, 315].map(
    (turn) => `<path d="M0 -8C16 -26 16 -44 0 -56C-16 -44 -16 -26 0 -8Z" transform="rotate(${turn})" fill="var(--back-line)"/>`,
  );
  const lattice = `<path d="${lines.join("")}" stroke="var(--back-line)" stroke-width="2.5" opacity=".55"/>`;
  const rose = `<circle r="74" fill="var(--back)" stroke="var(--back-line)" stroke-width="5"/>${leaves.join("")}<circle r="9" fill="var(--back)"/>`;
  return (
    symbol("back-lattice", "-102 -150 204 300", lattice) +
    symbol(
      "back",
      "-120 -168 240 336",
      `<rect x="-120" y="-168" width="240" height="336" fill="var(--back)"/>${use("back-lattice", 0, 0, 300, 204)}` +
        `<rect x="-102" y="-150" width="204" height="300" rx="8" fill="none" stroke="var(--back-line)" stroke-width="5"/>${rose}`,
      ' preserveAspectRatio="xMidYMid slice"',
    )
  );
}

function write(name, symbols) {
  writeFileSync(`src/cards/${name}.svg`, `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("\n")}</svg>\n`);
}

const cards = RANKS.flatMap((rank) => SUITS.flatMap((suit) => (rank in CYRILLIC ? ["", "-ru"] : [""]).map((suffix) => faces(rank, suit, suffix))));
write("faces", [
  ...SUITS.map(pip),
  ...RANKS.map((rank) => glyph(`rank-${rank}`, path(inside(`${rank}S`, `VS${rank}`)))),
  ...Object.entries(CYRILLIC).map(([rank, d]) => glyph(`rank-${rank}-ru`, d)),
  ...SUITS.flatMap((suit) => [figure(`J${suit}`), symbol(`J${suit}-head`, "0 0 1300 1006", `<use href="#J${suit}-figure" width="1300" height="2000"/>`)]),
  ...cards,
  back(),
]);
write("court", [...SUITS.map(pip), ...COURT.map(figure)]);
