"""What players do in a round, and the session that writes it."""
