import type { cards as en } from "../en/cards.ts";

const ranks = ["", "as", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "jota", "reina", "rey"];
const suits = { C: "tréboles", D: "diamantes", H: "corazones", S: "picas" };

export const cards: typeof en = {
  card: (rank, suit) => `${ranks[rank]} de ${suits[suit]}`,
  ranks,
  suits,
  index: ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
  letters: "latin",
  rows: ["Consejo Privado", "Cámara de los Lores", "Cámara de los Comunes", "Fila del Pueblo"],
  government: "Gobierno",
  constitution: "Constitución",
  stock: "Mazo",
  waste: "Descarte",
  sovereign: "Soberana",
  bishop: "Obispo",
  judge: "Juez",
};
