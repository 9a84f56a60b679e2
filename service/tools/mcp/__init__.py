"""`condottiere mcp`: the server for language models, which offers a service's HTTP API as tools over stdio.

`account` contains the settings and the token, `text` converts the API's responses to compact text, and `server` has the
tools.

Libraries: mcp, mcp_types, pydantic, rich.
"""
