"""Serves an application of the bench as the service is served, and says its address."""

import socket

import uvicorn
from fastapi import FastAPI

from service.serving import MAX_FRAME


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host, port = self.servers[0].sockets[0].getsockname()
        print(f"http://{host}:{port}", flush=True)


def serve(app: FastAPI) -> None:
    """Runs until it is told to stop."""
    settings = uvicorn.Config(
        app,
        port=0,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    _Server(settings).run()
