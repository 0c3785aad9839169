"""The pages of kiosks: the door, the connection of a device, what it shows when nobody plays, and what visitors see."""
