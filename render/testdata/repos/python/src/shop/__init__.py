"""What a shop needs.

Longer words about it.
"""

from ._client import Client
from .cart import *
from .json import dumps

__all__ = ["Client", "dumps", "total"]
