# The image of one service:          docker build --build-arg SERVICE=orders .
# The program that sets up the demo: docker build --target seed .
# Needs BuildKit, which is the default since Docker 23.

# Only package.json files and the lockfile, so that packages are installed again only when one of them has changed.
FROM node:26-bookworm-slim AS manifests
WORKDIR /repo
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete && find . -type d -empty -delete

# One installation for the builds of all services.
FROM node:26-bookworm-slim AS build
ENV TURBO_TELEMETRY_DISABLED=1
WORKDIR /repo
COPY --from=manifests /repo .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ARG SERVICE
# The gateway also serves the web apps.
RUN npx turbo run build --filter=@comanda/$SERVICE $(test "$SERVICE" != gateway || echo --filter=./apps/*)
# What the service needs at run time, and its `npm start` as a script, which replaces the shell by Node.
RUN mkdir /image \
  && cp -r --parents $(ls -d packages/*/dist services/$SERVICE/dist services/$SERVICE/public apps/*/dist 2>/dev/null) /image \
  && node -p "'exec ' + require('./services/$SERVICE/package.json').scripts.start" > /image/services/$SERVICE/start.sh

FROM node:26-bookworm-slim AS dependencies
WORKDIR /repo
COPY --from=manifests /repo .
ARG SERVICE
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund --omit=dev \
  --workspace packages/contracts --workspace packages/shared --workspace services/$SERVICE

# Runs from sources: it needs scripts and the commands of auth-stepup.
FROM node:26-bookworm-slim AS seed
WORKDIR /repo
COPY --from=manifests /repo .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund --omit=dev \
  --workspace packages/contracts --workspace packages/shared --workspace services/auth-stepup
COPY packages/contracts/src packages/contracts/src
COPY packages/shared/src packages/shared/src
COPY services/auth-stepup/src services/auth-stepup/src
COPY scripts scripts
# For the passwords of the demo; a new volume here gets this owner.
RUN mkdir --mode=700 /demo && chown 1000:1000 /demo
USER 1000:1000
CMD ["node", "--conditions=source", "scripts/seed-containers.ts"]

FROM node:26-bookworm-slim AS service
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 HOST=0.0.0.0
ARG SERVICE
WORKDIR /repo
COPY --from=dependencies /repo .
COPY --from=build /image .
WORKDIR /repo/services/$SERVICE
USER 1000:1000
CMD ["sh", "start.sh"]
