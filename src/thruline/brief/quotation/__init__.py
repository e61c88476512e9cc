"""Quotations: how the words of others are written down, found again, and when a cut turns their meaning."""
