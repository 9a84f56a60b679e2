"""`condottiere mcp`: the server for language models, which offers a service's HTTP API as tools over stdio.

`account` contains the settings and the token, `text` turns the API's responses into compact text, and `server` has the
tools.

Libraries: mcp, mcp_types, pydantic, rich.
"""
