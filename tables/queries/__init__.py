"""What is asked: reads only. Nothing here changes anything."""
