"""`condottiere admin`: what the host does from the command line.

Libraries: click, orjson, rich.
"""
