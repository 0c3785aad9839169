"""What the pit must be able to read afterwards: events and alerts."""
