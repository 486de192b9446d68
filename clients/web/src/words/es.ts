import { board } from "./es/board.ts";
import { boards } from "./es/boards.ts";
import { cards } from "./es/cards.ts";
import { daily } from "./es/daily.ts";
import { game } from "./es/game.ts";
import { newgame } from "./es/newgame.ts";
import { people } from "./es/people.ts";
import { play } from "./es/play.ts";
import { reasons } from "./es/reasons.ts";
import { replay } from "./es/replay.ts";
import { settings } from "./es/settings.ts";
import { shell } from "./es/shell.ts";
import { statistics } from "./es/statistics.ts";
import { watch } from "./es/watch.ts";

export default { board, boards, cards, daily, game, newgame, people, play, reasons, replay, settings, shell, statistics, watch };
