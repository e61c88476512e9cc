"""What is said to the next session: which earlier sessions, and in which words.

Pure: values in, text out. The worker decides when, writes the ready files, and learns what was told; a hook prints.
Everything told is a record of the past and says so, in a frame that its own content cannot close (law 6): the words of
the templates are ours, and whatever comes from a session stands in a brief or in a code span.
"""
