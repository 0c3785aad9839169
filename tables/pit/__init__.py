"""What the pit sees: its board and its statistics. Reads and rendering."""
