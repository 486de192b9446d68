"""A spectator in a process of its own: prints what it hears, a line a message, and then the code of the close."""

import socket
import sys

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

ROOM = 4096  # bytes, so that it falls behind as soon as it does not read


def main(url: str, session: str) -> None:
    host, _, port = url.removeprefix("http://").partition(":")
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
    link.connect((host, int(port)))
    with connect(f"ws://{host}:{port}/v1/sessions/{session}/live", sock=link, max_size=None) as live:
        live.send('{"type":"hello","v":1}')
        try:
            while True:
                print(live.recv(), flush=True)
        except ConnectionClosed as closed:
            print(closed.rcvd.code if closed.rcvd else 1006, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
