"""How the house writes its log: one line an event, for people at a terminal, as JSON anywhere else.

Loggers are the standard library's (`logging.getLogger(__name__)`) or structlog's
(`structlog.get_logger(__name__)`); both end here. What is named like a secret is kept back, whoever says it.
"""

from __future__ import annotations

import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

SECRET = re.compile(r"key$|token|password|passwd|secret|cookie|authorization|sealed|salt|order|card", re.IGNORECASE)
"""Names whose values never reach a log: keys of ours and of people, and what lies face down."""

KEPT_BACK = "[kept back]"


def keep_back(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replaces the values of secret names, at any depth of dicts."""
    return {name: _without_secrets(name, value) for name, value in event.items()}


def _without_secrets(name: str, value: Any) -> Any:
    if SECRET.search(name):
        return KEPT_BACK
    if isinstance(value, dict):
        return {inner: _without_secrets(str(inner), each) for inner, each in value.items()}
    return value


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """The LOGGING setting; sets structlog up by the way, so that both worlds write alike."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso" if as_json else "%H:%M:%S", utc=as_json),
        keep_back,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    last: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if as_json:
        last += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        # Plain tracebacks: the decorated ones show local variables, and those may hold cards.
        last.append(structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback))
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "house": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": last,
                # Of a library's record nothing is taken but its words: its `extra` may hold a whole request.
                "foreign_pre_chain": shared,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "house"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django would add handlers of its own, and mail to the admins.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "daphne": {"level": "WARNING"},
            "asyncio": {"level": "WARNING"},
        },
    }
