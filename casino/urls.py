"""The map of the house."""

from django.urls import URLPattern, URLResolver, include, path

from casino.health import healthz, metrics, readyz
from tables.admin import site

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tables.urls")),
    path("pit/admin/", site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
]
