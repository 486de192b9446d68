"""The edges: HTTP and WebSocket, translated into use cases and back.

schemas       the bodies of requests
problems      every error as application/problem+json
answers       everything else that is sent back, and how the contract describes it
limits        how much is let in, and of a request how much is read
rates         how often things may be done; gate who may open a socket
door          which requests wait for each other, so that moves need not
dependencies  who asks, and on which place
sessions seats feed players health live  the routes
socket        uvicorn's WebSocket, with a short way for the frames of play
driver        carries out what is said on a socket, in the words of wording
sockets       the open sockets and streams, counted, and sent away when the service stops
openapi       the contract of HTTP, with examples; asyncapi that of the sockets
"""
