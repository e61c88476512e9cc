"""The files we own: one module and one page of docs/formats each. Markdown that people read, edit and keep in git."""
