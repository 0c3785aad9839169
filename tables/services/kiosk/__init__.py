"""Kiosks, their screens and their visitors."""
