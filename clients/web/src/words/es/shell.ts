import type { shell as en } from "../en/shell.ts";

export const shell: typeof en = {
  name: "Constitución británica",
  title: (screen) => `${screen} · Constitución británica`,
  screens: {
    play: "Jugar",
    new: "Nueva partida",
    deal: "Reparto",
    join: "Unirse a una partida",
    watch: "Ver una partida",
    replay: "Repetición",
    daily: "Reto diario",
    boards: "Clasificaciones",
    statistics: "Estadísticas",
    rules: "Reglas",
    settings: "Ajustes",
  },
  menu: "Menú",
  toContent: "Ir al contenido",
  toBoard: "Ir al tablero",
  loading: "Cargando…",
  notFound: "Esta página no existe.",
  failed: "No se ha podido cargar esta página.",
  again: "Reintentar",
  offline: "Este dispositivo está sin conexión: no se puede acceder al servicio y habrá que esperar para jugar. Aún puedes abrir:",
};
