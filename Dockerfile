FROM python:3.12-slim AS builder
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src

# What the service runs on, apart from what changes with every edit.
RUN python -m venv --without-pip /app
COPY requirements-runtime.lock ./
RUN pip --python /app/bin/python install --require-hashes -r requirements-runtime.lock

# What turns the source into a wheel; it stays in this stage.
COPY requirements-build.lock ./
RUN pip install --require-hashes -r requirements-build.lock

# The web client, on a Node that stays in this stage too.
COPY requirements-node.lock ./
COPY clients/web/npm clients/web/.npmrc clients/web/package.json clients/web/package-lock.json clients/web/
RUN clients/web/npm ci
COPY openapi.json asyncapi.json ./
COPY clients/web clients/web
RUN clients/web/npm run build

COPY pyproject.toml README.md LICENSE ./
COPY service service
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && pip --python /app/bin/python install --no-deps /wheels/*.whl


FROM python:3.12-slim
# Nothing is written at run time, so the container may be read-only; a numeric user is known not to be root.
ENV PATH=/app/bin:$PATH PORT=8000 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
COPY --from=builder /app /app
WORKDIR /app
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
    CMD python -c "from urllib.request import urlopen; urlopen('http://127.0.0.1:$PORT/readyz', timeout=2)"
CMD ["constitution", "serve", "--host", "0.0.0.0"]
