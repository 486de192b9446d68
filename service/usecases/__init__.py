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
players   guests, tokens, tickets
codes     codes that people read to each other
"""
