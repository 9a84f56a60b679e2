"""A bot for Condottiere in one web handler. Needs flask, standardwebhooks, WEBHOOK_SECRET; see examples/README.md."""

import os
import random

from flask import Flask, request
from standardwebhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])


@app.post("/")
def receive():
    event = webhook.verify(request.data, dict(request.headers))
    if event["type"] == "ping":
        return {"challenge": event["data"]["challenge"]}
    if event["type"] == "turn.started":
        return {"move": random.choice(event["data"]["moves"])["number"]}
    return "", 204
