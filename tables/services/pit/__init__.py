"""What the pit does."""
