"""What kiosks show: their board, demonstrations and the guide. Reads and rendering."""
