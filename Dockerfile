# The image of one service:          docker build --build-arg SERVICE=orders .
# The program that sets up the demo: docker build --build-arg SERVICE=auth-stepup --target seed .
# Needs Docker 25 or newer. Everything before `ARG SERVICE` is the same for all images.
ARG SERVICE=missing

# The Node release that package.json pins, so that images run what the tests ran with. The digest is that of the index for
# all processors. Update it with each Node release, and for Debian fixes between two of them. This prints today's digest:
#   docker buildx imagetools inspect node:26.10.0-bookworm-slim --format '{{.Manifest.Digest}}'
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS base
WORKDIR /repo

# Only the files that npm reads, so that packages are installed again only when those have changed.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete && find . -type d -empty -delete

# Installs no devDependencies of the root, because the build needs none of the test tools.
FROM base AS installed
COPY --from=manifests /repo .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund \
  --workspace packages/contracts --workspace packages/shared --workspace services --workspace apps

FROM installed AS built
COPY tsconfig.base.json tsconfig.build.json ./
COPY packages packages
COPY services services
COPY apps apps
COPY docs/guides docs/guides
RUN npm run build --workspace packages/contracts --workspace packages/shared --workspace services --workspace apps

# The packages that the service needs at run time, without files that are not used there. Licenses stay.
FROM installed AS dependencies
ARG SERVICE
RUN mkdir /image \
  && npm ls --all --parseable --long --omit=dev --workspace services/$SERVICE > /tmp/packages \
  && sed -n '/:EXTRANEOUS/!s#^/repo/\([^:]*node_modules/[^:]*\):.*#\1#p' /tmp/packages > /tmp/needed \
  && xargs --arg-file=/tmp/needed cp -a --parents -t /image \
  && find /image -type f ! -iname 'licen[cs]e*' \
    \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete \
  && find /image/node_modules -maxdepth 3 -type d \( -name test -o -name tests \) -prune -exec rm -r {} +

# The service's build, and its `npm start` as a script that replaces the shell with Node. The gateway also serves the web
# apps. The source maps stay, because Node uses them to show source lines in stack traces.
FROM built AS files
ARG SERVICE
RUN set -e; mkdir /image; \
  for folder in packages/contracts packages/shared services/$SERVICE; do \
    cp -r --parents $folder/package.json $folder/dist /image; \
  done; \
  if [ $SERVICE = gateway ]; then cp -r --parents services/gateway/public docs/guides packages/ui/src/inter.woff2 apps/*/dist /image; fi; \
  find /image -name '*.d.ts' -delete; \
  node -p "'exec ' + require('./services/$SERVICE/package.json').scripts.start" > /image/services/$SERVICE/start.sh

FROM base AS settings-of-gateway
ENV PORT=3000 TABLE_APP_FOLDER=/repo/apps/guest/dist KITCHEN_APP_FOLDER=/repo/apps/staff/dist
FROM base AS settings-of-orders
ENV PORT=3001
FROM base AS settings-of-auth-stepup
ENV PORT=3002
FROM base AS settings-of-transfers
ENV PORT=3003
FROM base AS settings-of-notifier
ENV PORT=3004
FROM base AS settings-of-missing
RUN echo 'Say which service: --build-arg SERVICE=orders, or gateway, auth-stepup, transfers or notifier.' >&2; exit 1

# BuildKit prints these lines if there is no such service:
# SERVICE is mistyped. It is gateway, orders, auth-stepup, transfers or notifier.
FROM settings-of-$SERVICE AS runtime
ARG SERVICE
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 HOST=0.0.0.0 METRICS_HOST=0.0.0.0
EXPOSE $PORT
COPY --from=dependencies /image .
COPY --from=files /image .
WORKDIR /repo/services/$SERVICE
USER 1000:1000
CMD ["sh", "start.sh"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s CMD ["node", "-e", "\
  require(process.env.TLS_CERT_FILE ? 'node:https' : 'node:http') \
    .get({ host: '127.0.0.1', port: process.env.PORT, path: '/readyz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)) \
    .on('error', () => process.exit(1))"]
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Comanda $SERVICE" \
  org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION

# Adds the files that seed-containers.ts imports to auth-stepup's image, which has the commands.
FROM runtime AS seed
WORKDIR /repo
COPY package.json ./
WORKDIR /repo/packages/local-stack/src
COPY packages/local-stack/src/seed-containers.ts packages/local-stack/src/seed.ts packages/local-stack/src/demo-menu.ts \
  packages/local-stack/src/demo-option-groups.ts packages/local-stack/src/demo-sign-ins.ts packages/local-stack/src/root.ts \
  packages/local-stack/src/write-atomically.ts ./
COPY packages/local-stack/src/servers/refusal.ts servers/
WORKDIR /repo
USER root
# The folder for the demo's passwords. A new volume here gets this owner.
RUN mkdir --mode=700 /demo && chown 1000:1000 /demo
USER 1000:1000
CMD ["node", "packages/local-stack/src/seed-containers.ts"]

FROM runtime AS service
