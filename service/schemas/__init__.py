"""What JSON may look like, in and out: shapes only, no rule of the game.

Requests are loaded by these schemas. Answers are written as they are and described by them; the tests hold every
answer against its description.

Libraries: apispec, marshmallow.
"""
