"""The one Django app of the house."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    verbose_name = "Macau Floor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tables.views import witness

        witness.connect()
