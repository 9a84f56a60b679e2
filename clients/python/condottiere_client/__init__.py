"""Clients of Condottiere, the service that plays the board game: `Client`, and the asynchronous `AsyncClient`."""

from . import errors, types, webhooks
from ._async import AsyncClient, AsyncTurn
from ._sync import Client, Turn
from .errors import Problem

__all__ = ["AsyncClient", "AsyncTurn", "Client", "Problem", "Turn", "errors", "types", "webhooks"]
