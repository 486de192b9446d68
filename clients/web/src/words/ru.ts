import { board } from "./ru/board.ts";
import { boards } from "./ru/boards.ts";
import { cards } from "./ru/cards.ts";
import { daily } from "./ru/daily.ts";
import { game } from "./ru/game.ts";
import { newgame } from "./ru/newgame.ts";
import { people } from "./ru/people.ts";
import { play } from "./ru/play.ts";
import { reasons } from "./ru/reasons.ts";
import { replay } from "./ru/replay.ts";
import { settings } from "./ru/settings.ts";
import { shell } from "./ru/shell.ts";
import { statistics } from "./ru/statistics.ts";
import { watch } from "./ru/watch.ts";

export default { board, boards, cards, daily, game, newgame, people, play, reasons, replay, settings, shell, statistics, watch };
