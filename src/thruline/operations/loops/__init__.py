"""Loops of a project: started in a session, listed, switched, held, ended, and driven from outside a client.

A change to a loop's file and to the pointer is one transaction, under the lock that the hook takes at the end of a
turn. docs/design/0024-loops.md, docs/formats/loop.md.
"""
