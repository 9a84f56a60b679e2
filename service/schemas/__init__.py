"""The shapes of JSON in requests and answers, without any rule of the game.

These schemas load requests. Answers are written directly and only described by the schemas; the tests check every
answer against its description.

Libraries: apispec, marshmallow.
"""
