"""The pages of kiosks: the door and the line of a device, what it shows when nobody plays, and what visitors see."""
