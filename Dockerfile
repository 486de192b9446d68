# An operator who wants the same base for ever names it by its digest: `--build-arg BASE=python:3.12-slim@sha256:…`.
ARG BASE=python:3.12-slim

FROM ${BASE} AS builder
# The same source gives the same files: of one time, compiled one way.
ENV SOURCE_DATE_EPOCH=315532800 PYTHONHASHSEED=0
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src

# What the service runs on, apart from what changes with every edit.
RUN python -m venv --without-pip /app
COPY requirements-runtime.lock ./
RUN pip --python /app/bin/python install --no-compile --require-hashes -r requirements-runtime.lock \
    && python -m compileall -q --invalidation-mode unchecked-hash /app/lib \
    && find /app -exec touch --no-dereference --date=@$SOURCE_DATE_EPOCH {} +

# What turns the source into a wheel; it stays in this stage.
COPY requirements-build.lock ./
RUN pip install --no-compile --require-hashes -r requirements-build.lock

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
    && pip --python /app/bin/python install --no-compile --no-deps /wheels/*.whl \
    && python -m compileall -q --invalidation-mode unchecked-hash /app/lib/python3*/site-packages/service \
    && find /app -newermt @$SOURCE_DATE_EPOCH -exec touch --no-dereference --date=@$SOURCE_DATE_EPOCH {} +


FROM ${BASE}
LABEL org.opencontainers.image.title="British Constitution" \
      org.opencontainers.image.description="The two-pack patience British Constitution, as a service." \
      org.opencontainers.image.licenses="MIT"
# Nothing is installed into a container, so what installs is taken away. A new volume on /secrets has its owner from here.
RUN rm -rf $(python -c 'import ensurepip, pip; print(*ensurepip.__path__, *pip.__path__)') \
        /usr/local/lib/python3*/site-packages/pip-* /usr/local/bin/pip* /usr/bin/pip* \
    && install --directory --owner 10001 --group 10001 /secrets
# Nothing is written at run time, so the container may be read-only; a numeric user is known not to be root.
ENV PATH=/app/bin:$PATH PORT=8000 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
COPY --from=builder /app /app
WORKDIR /app
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
# Asked by bash, which takes a hundredth of the time that a Python would.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3; read -r _ status _ <&3; [[ $status = 200 ]]"]
CMD ["constitution", "serve", "--host", "0.0.0.0"]
