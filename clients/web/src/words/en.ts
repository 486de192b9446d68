import { board } from "./en/board.ts";
import { boards } from "./en/boards.ts";
import { cards } from "./en/cards.ts";
import { daily } from "./en/daily.ts";
import { game } from "./en/game.ts";
import { newgame } from "./en/newgame.ts";
import { people } from "./en/people.ts";
import { play } from "./en/play.ts";
import { reasons } from "./en/reasons.ts";
import { replay } from "./en/replay.ts";
import { settings } from "./en/settings.ts";
import { shell } from "./en/shell.ts";
import { statistics } from "./en/statistics.ts";
import { watch } from "./en/watch.ts";

export default { board, boards, cards, daily, game, newgame, people, play, reasons, replay, settings, shell, statistics, watch };
