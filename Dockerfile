# The suite in an image. Not run where the suite is developed: there is no Docker there.
#
#   docker build -t conformance .
#   docker run --rm --env-file target.env -v "$PWD/fixtures.json:/fixtures.json:ro" -e TARGET_FIXTURES=/fixtures.json \
#     -v "$PWD/out:/out" conformance --risk safe
#
# What follows the image's name are options of `npm start`; reports are in out/. The directory must be writable for user 1000.
# Other commands: docker run --rm --env-file target.env --entrypoint npm conformance run doctor
FROM node:24-slim
WORKDIR /suite
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN mkdir -p /out reports/history && chown node:node /out reports/history
ENV RUN_REPORT_DIR=/out
USER node
ENTRYPOINT ["npm", "start", "--silent", "--"]
