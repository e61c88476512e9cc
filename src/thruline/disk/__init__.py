"""How bytes reach the disk, so that nothing is ever torn.

`atomic` changes one file: whoever looks sees all of the old bytes or all of the new ones. `transaction` changes several
files together, in one project or in two. Everything thruline writes goes through one of them; nothing else in the house
calls `open(…, "w")`. What a repository may have put in our way is met by `own` (files that must be ours and plain) and
`inside` (paths that must not leave a project).
"""
