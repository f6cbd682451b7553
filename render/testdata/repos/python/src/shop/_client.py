import typing as t

import httpx
from httpx._types import Headers

T = t.TypeVar("T")


class Client:
    """Talks to a shop.

    :param url: where it is
    """

    def __init__(self, url: str) -> None:
        self.url = url

    async def fetch(self, name: str, *, times: int = 3) -> bytes | None:
        """Fetch something."""
        return None


class Hidden:
    def run(self):
        pass
