"""Tools: commands beside the service, namely the demo, simulations, migrations, the rebuild, and generated files.

Libraries: orjson, requests, rich.
"""
