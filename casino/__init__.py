"""The Django project: settings, doors and servers. Nothing of the trade is here."""
