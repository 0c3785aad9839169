# syntax=docker/dockerfile:1
# Macau Floor. `docker build -t macau-floor .`, then
#   docker run -p 8000:8000 macau-floor                        a demonstration house on SQLite, in the container
#   docker run -p 8000:8000 -v floor:/data macau-floor         … and it remembers
#   docker run -p 127.0.0.1:8000:8000 -e DEMO_STAFF=1 macau-floor    … with staff, whose passwords are in its log
# For real, with PostgreSQL and Redis: compose.yaml.

ARG PYTHON=3.13

# ── Build: wheels by their hashes, catalogues, static files ─────────────────────────────────────────────────
FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /house

RUN python -m venv --without-pip /venv
COPY requirements.txt ./
RUN pip --python /venv/bin/python install --require-hashes --only-binary :all: -r requirements.txt
# Half of it is tests of libraries, and languages that the house does not speak.
RUN cd /venv/lib/python3*/site-packages \
    && find twisted zope -type d \( -name test -o -name tests \) -prune -exec rm -rf {} + \
    && find django allauth -path '*/locale/*' -prune -type d ! -name 'en*' ! -name 'pt*' ! -name 'zh*' -exec rm -rf {} + \
    && find babel/locale-data -name '*.dat' ! -name 'root.dat' ! -name 'en*' ! -name 'pt*' ! -name 'zh*' -delete

COPY manage.py LICENSE ./
COPY casino casino
COPY tables tables
COPY templates templates
COPY static static
COPY locale locale
# The keys made up for these two commands stay in this stage.
RUN export VAR_DIR=/tmp/build STATIC_MANIFEST=1 \
    && /venv/bin/python manage.py compilemessages \
    && /venv/bin/python manage.py collectstatic --noinput \
    && /venv/bin/python -m compileall -q -j 0 /venv/lib casino tables \
    && /venv/bin/python manage.py selfcheck --write-manifest

# ── Run: no compiler, no pip of its own, no root ────────────────────────────────────────────────────────────
FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin house \
    && install -d -o house -g house -m 700 /data /anchors /archive
COPY --from=build /venv /venv
COPY --from=build /house /house
WORKDIR /house
USER house
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 PORT=8000 VAR_DIR=/data STATIC_MANIFEST=1 LOG_FORMAT=json
EXPOSE 8000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/healthz\", timeout=3)"]
ENTRYPOINT ["python", "manage.py"]
# `floor` is everything; `floor --no-dealer` pages alone; `deal` a dealer alone; `floor --prepare` migrates and ends.
CMD ["floor"]
