"""The wire, without input or output: the messages, the close codes and the state of one connection.

messages    every shape that goes over a socket or comes back over HTTP, and the codec of both
close       why a socket is closed, and whether to come back
connection  what one socket has said and is owed
"""
