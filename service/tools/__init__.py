"""Commands beside the service: the demo, simulations, the rebuild, and what is made of others (documents, openapi).

Libraries: orjson, requests, rich.
"""
