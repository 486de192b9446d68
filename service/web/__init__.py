"""The edges: HTTP and WebSocket, translated into use cases and back.

schemas       the bodies of requests, and the documentation of answers
problems      every error as application/problem+json
answers       everything else that is sent back
limits        how much is let in, and of a request how much is read
rates         how often things may be done; gate who may open a socket
dependencies  who asks, and what is asked for
sessions players health  the routes
live          the driver of a socket
sockets       the open sockets, for when the service stops
openapi       the contract of HTTP, with examples; asyncapi that of the sockets
"""
