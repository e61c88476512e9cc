"""`thruline forget`: what we have of a session is found, shown, and then really gone.

A trace is one thing of ours that holds a session's words or names it. A room that begins to keep something of a session
adds a function to the table in `traces.py`.
"""
