"""The ledger: the only code that moves chips."""
