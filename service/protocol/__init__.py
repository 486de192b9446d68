"""The wire, without input or output: the messages, the close codes and the state of one connection.

shapes      sessions, events and what else both sockets and HTTP tell
people      players
days        the daily challenge, and a player's days
boards      who stands where
messages    what is said on a socket, both ways, and the codec of both wires
notes       what the processes of the service tell each other
close       why a socket is closed, and whether to come back
requests    what a connection asks of its driver
connection  what one socket has said and is owed
"""
