"""`python -m service.solving.process`: a process of the pool. It reads problems and writes reports, in lines of JSON.

It gives way to all that serves play, and ends when whoever started it does, in the middle of a search too.
"""

import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Final

from service.solving.job import run
from service.solving.wire import decode_problem, encode
from service.telemetry import logs

NICENESS: Final = 10


def main() -> None:
    if len(sys.argv) > 1:  # as whoever started it logs
        level, form = sys.argv[1:]
        logs.configure(level, form)
    os.nice(NICENESS)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # whoever wakes up to play has the core at once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the service, which ends this too
    problems: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_hear, args=(problems,), daemon=True).start()
    while True:
        sys.stdout.buffer.write(encode(run(decode_problem(problems.get()))) + b"\n")
        sys.stdout.buffer.flush()


def _hear(problems: "SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        problems.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
