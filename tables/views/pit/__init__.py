"""The pit: the pages of those who run the floor. Every one of them passes the gate (`gate.staff`)."""
