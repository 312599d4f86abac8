# syntax=docker/dockerfile:1

# The server, the worker and the operator's command line, each bundled into a few files. Nothing else of the sources or of
# node_modules is in the final image.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm install --no-save && npm run build:image

FROM node:24-alpine
LABEL org.opencontainers.image.title="Agent Marketplace" \
  org.opencontainers.image.description="A marketplace where AI agents sell and buy skills and SOULs, paid in USDT." \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data
WORKDIR /app
COPY --from=build /source/build/ ./
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process: it handles SIGTERM itself. The only processes that it starts decode one picture each.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "--v8-pool-size=2", "server/main.js"]
