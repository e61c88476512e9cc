"""The steps of `thruline handoff`."""
