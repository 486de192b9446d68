"""A thoughtful solver, which knows the stock. Pure like the engine, and budgeted in nodes, so that answers repeat.

`solve.solve` is the way in, `results` has what it answers, `verify` checks that by the engine alone. `modern` has a
search of its own, through a reduced game; `full` searches under any rules. SOLVER.md explains both.
"""
