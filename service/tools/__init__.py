"""Commands beside the service: the demo, simulations, migrations, the rebuild, and what is made of other files.

Libraries: orjson, requests, rich.
"""
