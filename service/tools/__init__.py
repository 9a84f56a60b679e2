"""Commands beside the service: the demo, simulations, migrations, and what is made of other files (documents, openapi).

Libraries: orjson, requests, rich.
"""
