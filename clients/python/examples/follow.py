"""Print what happens in a game: `python follow.py http://127.0.0.1:8000 GAME`."""

import sys

from condottiere_client import Client
from condottiere_client.types import Event


def text(event: Event) -> str:
    """Return an event in words, or only its type if this program does not know the type."""
    if event["type"] == "card-played":
        return f"seat {event['seat']} plays {event['card']}"
    if event["type"] == "region-chosen":
        return f"seat {event['seat']} chooses {event['region']}"
    return str(event["type"])


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        for commit in client.events(sys.argv[2]):
            print(commit["seq"], *map(text, commit["events"]), sep="; ")
