"""`migrate`: what other tools left behind becomes ours. Nothing is deleted or changed; what is new names its origin."""
