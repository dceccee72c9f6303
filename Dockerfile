# The suite in an image, from the packed package. What of it was run where the suite is developed: docs/ci.md.
#
# Each package is the one of the lock file. Without a target the image judges its embedded sandbox; in a pipeline set RUN_REQUIRE_TARGET=true.
#
#   docker build -t conformance .
#   docker run --rm --read-only --tmpfs /tmp --env-file target.env -v "$PWD/fixtures.json:/fixtures.json:ro" \
#     -e TARGET_FIXTURES=/fixtures.json -v "$PWD/out:/out" conformance --risk safe
#
# What follows the image's name is a subcommand with its options, or options of `run`; reports are in out/, which must be writable for user 1000.
# Another subcommand: docker run --rm --env-file target.env conformance doctor
FROM node:24-slim AS build
WORKDIR /suite
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN mkdir /packed && npm pack --pack-destination /packed && tar -xzf /packed/*.tgz -C /packed

FROM node:24-slim
WORKDIR /suite
# Without .npmrc, which includes what development needs.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && rm -rf /root/.npm && mkdir /out && chown node:node /out
COPY --from=build /packed/package ./
# Below HOME the test runner keeps a file of its own.
ENV HOME=/tmp RUN_REPORT_DIR=/out RUN_HISTORY=/out/history
VOLUME /out
USER node
ENTRYPOINT ["node", "--max-semi-space-size=2", "--", "/suite/dist/cli/start.js"]
