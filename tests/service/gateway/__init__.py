"""The front door of the web process: raw connections, slow clients, waiting clients, and how it stops."""
