"""What can be started: web, worker, clock and deliver, and `serve`, which runs all of them with servers of its own.

What a process does round after round is a duty (`duties`); what a round does is a use case of another package.

Libraries: flask, redis, rq.
"""
