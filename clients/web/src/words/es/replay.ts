import type { replay as en } from "../en/replay.ts";
import { plural } from "../language.ts";

const steps = (count: number): string => plural("es", count, { one: "# paso", other: "# pasos" });
const points = (count: number): string => plural("es", count, { one: "# punto", other: "# puntos" });

export const replay: typeof en = {
  slider: "Momento de la partida",
  at: (seq, last, what) => `Jugada ${seq} de ${last}: ${what}`,
  atDeal: (last) => `El reparto, antes de la jugada 1 de ${last}`,
  noMoves: "El reparto; aún no se ha jugado nada",
  first: "Al reparto",
  back: "Atrás",
  play: "Reproducir",
  pause: "Pausa",
  forward: "Adelante",
  last: "Al final",
  speed: "Velocidad",
  points,
  status: {
    playing: "En curso",
    won: "Ganada",
    stuck: "Sin movimientos",
    resigned: "Abandonada",
    expired: "Fuera de tiempo",
  },

  moves: "Jugadas",
  analysis: "Análisis",
  record: "Registro",
  deal: "El reparto",
  entry: {
    promote: (what) => `${what}, al Gobierno`,
    move: (what, place) => `${what}, a ${place}`,
    turned: (card) => `se descubre: ${card}`,
    turn: "se descubre una carta",
    undo: (count) => `deshacer, ${steps(count)}`,
    redo: (count) => `rehacer, ${steps(count)}`,
    restart: "reiniciar, vuelta al reparto",
    resign: "abandono",
    hint: ["pista: dónde jugar", "pista: qué carta", "pista: qué jugada"],
    ask: "pregunta: ¿se puede ganar?",
    consent: (count) => `acuerdo para deshacer, ${steps(count)}`,
  },

  graph: (highest, here) => `Puntos a lo largo de la partida: ${highest} como máximo, ${here} en este momento.`,
  lostGraph: (seq) => `Desde la jugada ${seq} la partida estaba perdida.`,
  whereLost: "¿Dónde se perdió?",
  about: "El programa examina unos diez momentos de la partida y dice después de qué jugadas aún se podía ganar. Puede tardar unos minutos.",
  searching: (searches) =>
    plural("es", searches, { one: "Buscando: # momento de unos diez.", other: "Buscando: # momentos de unos diez." }),
  stop: "Parar",
  isWon: "Esta partida se ganó.",
  wasLost: (seq, what) => `La jugada ${seq} perdió la partida: ${what}.`,
  wasWinnable: "Al final, esta partida aún se podía ganar.",
  neverWinnable: "Este reparto no se puede ganar, se juegue como se juegue.",
  winnableUntil: (seq) => `La partida se podía ganar al menos hasta la jugada ${seq}. No se ha averiguado cuál de las siguientes la perdió.`,
  winnableDeal: "El reparto se puede ganar. No se ha averiguado qué jugada lo perdió.",
  unknown: "No se ha averiguado si esta partida se podía ganar.",
  toLost: "Ver la jugada que la perdió",
  beforeLost: "Ver el momento anterior",
  winnable: "aún se podía ganar",
  lost: "perdida",
  lossMark: "perdió la partida",
  line: "Una victoria desde ahí",
  lineFrom: (seq) => `Empieza después de la jugada ${seq}.`,
  lineFromDeal: "Empieza en el reparto.",
  secretDay: "Esta partida es de un día cuyas clasificaciones aún no son definitivas. Hasta entonces su reparto es secreto, y también el análisis y el registro.",
  secretDeal: "El reparto es secreto hasta que termine la partida. Después habrá un análisis y un registro.",

  recordHelp: "Toda la partida como texto. Cualquiera puede importarla, reproducirla y comprobarla.",
  copy: "Copiar",
  download: "Descargar",
};
