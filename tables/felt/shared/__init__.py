"""What the felts of several games share."""
