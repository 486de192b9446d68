"""What the service does, without web and without Redis.

errors    what can go wrong, each with the code that goes over the wire
history   a session's log, read: the game at any place of it
views     what one viewer may see, as messages
dealing   a new session, as it is wished
sessions  read, list, who has a seat
commands  the way of a move: judged, committed, told and answered
live      who watches what, and telling them
presence  who is there, over all processes
feed      what happens in a session, told from a place on
solutions from a place of play to the solver, and back
lookout   telling who watches, entry by entry, whether a session can still be won
hints     where to go on, and whether the game can still be won
analysis  where a game was lost
deals     deals that can be won, and how hard they are
days      the calendar of the daily challenge, and a day's commitment
preparing days ahead, each with a deal that is certified
daily     a day as its players meet it, and their runs
closing   what becomes of runs, and boards that are made from the logs alone
results   from a run's log to its rows
keeper    the task that prepares, sweeps and closes
boards    who stands where, as it is shown
board_watch  telling who watches a board
records   a player's days: statistics and the calendar
streaks   days in a row
players   guests, what proves who they are, whom they follow, and what is left of them
names     what players are called
codes     codes that people read to each other
"""
