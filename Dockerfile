# The suite in an image, from the packed package. What of it was run where the suite is developed: docs/ci.md.
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
RUN mkdir /packed && npm pack --pack-destination /packed

FROM node:24-slim
WORKDIR /suite
COPY --from=build /packed /packed
RUN npm install --no-audit --no-fund /packed/*.tgz && rm -rf /packed /root/.npm && mkdir /out && chown node:node /out
# Below HOME the test runner keeps a file of its own.
ENV HOME=/tmp RUN_REPORT_DIR=/out RUN_HISTORY=/out/history
VOLUME /out
USER node
ENTRYPOINT ["/suite/node_modules/.bin/prepaid-card-conformance"]
