"""JSON that people wrote, changed in place: what is not asked for keeps every byte.

A client's settings belong to their owner. Loading and dumping them would lose comments, order, indentation, line ends
and the byte-order mark, and an uninstall could never give back the file that was there before. So a text is scanned
into spans (`scan`), and an edit is a few insertions (`edit`) that can be taken back exactly (`undo`).
"""

from thruline.jsontext.edit import MADE, Edit, append, put
from thruline.jsontext.scan import Node, find, parse
from thruline.jsontext.undo import remove, undo

__all__ = ["MADE", "Edit", "Node", "append", "find", "parse", "put", "remove", "undo"]
