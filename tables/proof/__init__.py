"""What shows that nothing was lost, invented or told too early."""
