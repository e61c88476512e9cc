"""What the next session must know: five sections made of claims, each with the place that proves it.

A claim is our words (or a model's) with pointers and quotations; a quotation is somebody else's words, fenced and
attributed (docs/formats/quote.md). Engines build claims, `merge` joins them, `verify` proves them against the records
they point at, `render` makes the markdown within a budget, `document` reads it back. Pure: nothing here opens a file.
"""
