"""`condottiere admin`: the host's commands.

Libraries: click, orjson, rich.
"""
