"""The tests: `engine` clause by clause, `service` against real servers, and whole games in `games`.

The files in this folder itself test the documents and `.ci`.
"""
