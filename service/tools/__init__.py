"""Commands besides the service: the demo, simulations, migrations, the rebuild, and generated files.

Libraries: orjson, requests, rich.
"""
