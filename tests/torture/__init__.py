"""`make torture`: what the house is put through, part by part, with the figures that it reaches (docs/torture.md)."""
