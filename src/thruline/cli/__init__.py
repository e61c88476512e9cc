"""The command line: a thin door over `operations/`. It parses, calls one operation and renders; it decides nothing."""
