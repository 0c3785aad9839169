"""The map of the house."""

from django.urls import URLPattern, URLResolver, include, path

from tables.admin import site

from .health import healthz, metrics, readyz

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tables.urls")),
    path("pit/admin/", site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
]
