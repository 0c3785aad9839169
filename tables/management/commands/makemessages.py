"""`manage.py makemessages`: bring the catalogues up to date with the code, without GNU gettext."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from casino import catalogues


class Command(BaseCommand):
    help = "Brings locale/*/LC_MESSAGES/django.po up to date with the code, and says what is left to translate."
    requires_system_checks: list[str] = []

    def handle(self, *_args: object, **_options: object) -> None:
        template = catalogues.messages_of_the_code()
        for locale in catalogues.LOCALES:
            path = catalogues.po_path(locale)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = catalogues.updated(locale, template)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
            left = sum(1 for _ in catalogues.complaints(locale, template))
            self.stdout.write(f"{locale}: {len(template)} messages, {left} to look at")
        catalogues.compile_stale()
