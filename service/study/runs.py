"""A run of the study: the deals of a range that the table has no answer to yet, tried by several processes."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from service.study import summaries, tables
from service.study.progress import shown
from service.study.trials import Trial, tried


class Plan(NamedTuple):
    """Which deals are tried under which preset, with how many nodes each, whether graded, and by how many processes."""

    rules: str
    deals: range
    budget: int
    is_graded: bool
    processes: int


def run(plan: Plan, folder: Path) -> str:
    """Goes on with the preset's table, and sums up all tables of the folder; answers with the summary.

    A deal is tried again if it was given up and may have more nodes now, or if it is won and to be graded.
    Raises Disagreement, ValueError where the folder has something else in place of a table, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{plan.rules}.csv"
    trials = tables.read(path)
    tables.write(path, trials.values())  # whole lines only, whatever ended the last run
    due = [deal for deal in plan.deals if deal not in trials or _is_due(trials[deal], plan)]
    with tables.adding(path) as add, closing(_tried(plan, due)) as fresh:
        for trial in shown(fresh, plan.rules, len(due)):
            add(trial)
            trials[trial.deal] = trial
    tables.write(path, trials.values())
    return summaries.write(folder)


def _is_due(trial: Trial, plan: Plan) -> bool:
    if trial.result == "gave_up":
        return trial.nodes < plan.budget
    return trial.result == "won" and plan.is_graded and trial.grade is None


def _tried(plan: Plan, due: Sequence[int]) -> Generator[Trial, None, None]:
    """The trials of these deals, as they come."""
    ask = partial(tried, plan.rules, plan.budget, plan.is_graded)
    if plan.processes == 1:
        yield from map(ask, due)
        return
    spawned = multiprocessing.get_context("spawn")  # a fork would have the parent's threads half way through something
    workers = ProcessPoolExecutor(plan.processes, spawned, _attend)
    try:
        for done in as_completed([workers.submit(ask, deal) for deal in due]):
            yield done.result()
    finally:
        workers.shutdown(cancel_futures=True)


def _attend() -> None:
    """Makes a worker end with its parent, however that ends, and at once at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
