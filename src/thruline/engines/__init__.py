"""Who answers what a session meant. `rules` is always there: no model, no network, the same answer every time.

An engine takes what one pass over a session left behind and returns the five sections; what it may say is fixed by
`brief`: quotations with their place, or its own words with pointers. Law 2: what another engine adds comes on top.
"""
