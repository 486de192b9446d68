import type { settings as en } from "../en/settings.ts";

export const settings: typeof en = {
  looks: "Aspecto",
  language: "Idioma",
  theme: "Tema",
  themes: { auto: "El del dispositivo", light: "Claro", dark: "Oscuro", contrast: "Alto contraste" },
  suits: "Colores de los palos",
  suitsWhat: { two: "Dos colores", distinct: "Cuatro fáciles de distinguir" },
  sample: "Así se ven los palos",
  faces: "Caras de las cartas",
  facesWhat: { auto: "Letras grandes si las cartas son pequeñas", art: "Siempre dibujos", big: "Siempre letras grandes" },
  motion: "Movimiento",
  motionWhat: { auto: "El del dispositivo", off: "Ninguno" },
  coach: "Los primeros pasos",
  coachWhat: "Vuelve a mostrar los tres pasos sobre el tablero.",
  coachAgain: "Mostrarlos otra vez",
  coachComes: "Se mostrarán cuando abras el tablero.",
};
