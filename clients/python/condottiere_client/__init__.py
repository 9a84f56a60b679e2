"""A client of Condottiere, the service that plays the board game: `Client`, and its asynchronous twin `AsyncClient`."""

from . import errors, types, webhooks
from ._async import AsyncClient, AsyncTurn
from ._sync import Client, Turn
from .errors import Problem

__all__ = ["AsyncClient", "AsyncTurn", "Client", "Problem", "Turn", "errors", "types", "webhooks"]
