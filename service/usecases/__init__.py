"""What the service does, without web and without Redis.

errors    what can go wrong, each with the code that goes over the wire
history   a session's log, read: the game at any place of it
views     what one viewer may see, as messages
sessions  create, read, list, who has a seat
commands  the way of a move: judged, committed, told and answered
live      who watches what, and telling them
presence  who is there, over all processes
feed      what happens in a session, told from a place on
players   guests, tokens, tickets
codes     codes that people read to each other
"""
