# Build context: the repository root. Sets up the demonstration once, and ends.
FROM node:26-bookworm-slim
WORKDIR /repo
COPY package.json package-lock.json ./
COPY packages/shared/package.json packages/shared/
COPY services/auth-stepup/package.json services/auth-stepup/
RUN npm ci --ignore-scripts --omit=dev --workspace packages/shared --workspace services/auth-stepup
COPY packages/shared/src packages/shared/src
COPY services/auth-stepup/src services/auth-stepup/src
COPY scripts scripts
USER node
CMD ["node", "--conditions=source", "scripts/seed-containers.ts"]
