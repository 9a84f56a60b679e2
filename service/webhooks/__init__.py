"""Telling endpoints what happens: who subscribed, what they are told, how it is sent, and what their answers do.

An endpoint is somebody else's machine, and its address somebody else's word: `addresses` and `sending` trust neither.
What is kept of webhooks lies in `store`, the process that delivers is `deliver`.

Libraries: aiohttp, orjson, yarl.
"""
