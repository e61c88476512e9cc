"""OpenCode: sessions in a SQLite database, and the exports it prints of them. FORMAT.md has the facts."""
