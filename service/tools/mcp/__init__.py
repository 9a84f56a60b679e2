"""The server for language models: `condottiere mcp`, which offers the HTTP API of a service as tools over stdio.

`account` holds the settings and the token, `text` turns the API's responses into compact text, and `server` has the
tools.

Libraries: mcp, mcp_types, pydantic, rich.
"""
