# The core with its own PostgreSQL in /data, or with POSTGRESQL_CONNECTION_URI beside one that you run. For the second alone
# there is a smaller image, without a PostgreSQL inside:
#   docker build --build-arg POSTGRESQL=external .
# Every RUN works in a plain Debian 12 that has Node 22; nothing is compiled, and nothing fetched but npm packages and one of Debian's.
# By its tag, which is not pinned: a digest is one of the registry's, and has to be looked up where the image is built.
#   docker buildx imagetools inspect node:22-bookworm-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg NODE_IMAGE=node:22-bookworm-slim@sha256:… .
# Node 22, because uWebSockets.js has no binary for a newer one; with Node 24 the package runs too, on the slower node:http.
ARG NODE_IMAGE=node:22-bookworm-slim

# The package, as `npm pack` makes it. Of the development packages only the compiler runs, and it needs no install script.
FROM ${NODE_IMAGE} AS package
WORKDIR /package
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm cache clean --force
COPY packaging ./packaging
COPY LICENSE README.md SKILL.md config.yaml tsconfig.json tsconfig.build.json ./
COPY bin ./bin
COPY workers ./workers
COPY src ./src
RUN npm pack --silent && mkdir unpacked && tar --extract --gzip --file carryover-*.tgz --strip-components=1 --directory=unpacked

FROM ${NODE_IMAGE}

# embedded or external: whether the image has the core's own PostgreSQL.
ARG POSTGRESQL=embedded
WORKDIR /app

# PostgreSQL wants a name for its user. OpenShift and `docker run --user` choose a uid without one: this library names it.
RUN [ "$POSTGRESQL" != embedded ] || { apt-get update \
 && apt-get install --yes --no-install-recommends libnss-wrapper && rm -rf /var/lib/apt/lists/*; }

# Production packages alone, in a layer of their own: a change of the code does not fetch them again.
# npm ci ends with packaging/check-node.js, which has nothing to check here: Node is the base image's. Binaries for other systems
# go in the same step, or the layer would keep them.
COPY package.json package-lock.json ./
COPY packaging ./packaging
RUN npm ci --omit=dev && npm cache clean --force && node packaging/prune.ts "$POSTGRESQL"
# What the image holds of others, but for Debian: /app/sbom.cdx.json and /app/THIRD-PARTY-LICENSES.
COPY LICENSE ./
RUN node packaging/sbom.ts

COPY --from=package /package/unpacked ./
# The command: `docker exec … carryover`, or `docker run --entrypoint carryover …`.
RUN ln -s /app/bin/carryover /usr/local/bin/carryover

# PostgreSQL refuses to be root. The code stays root's, so the core cannot change it; only /data is the core's own, and that of
# root's group, which is all that a uid of OpenShift has.
RUN groupadd --gid 10001 carryover \
 && useradd --uid 10001 --gid carryover --no-create-home --home-dir /data --shell /usr/sbin/nologin carryover \
 && install --directory --owner=carryover --group=root --mode=0770 /data
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001

# Every other setting is an environment variable too, see config.yaml: API_KEYS, POSTGRESQL_CONNECTION_URI, ...
# A container mostly has a balancer in front, so the front end is the one that speaks HTTP/1.0 and keeps idle connections for 75 s.
# A uid that the image does not know has no home, where the command stores what `resume` needs.
ENV HOST=0.0.0.0 DATA_DIR=/data FRONT_END=NODE_HTTP HOME=/data
EXPOSE 3567
VOLUME /data

# Node itself is process 1: the core installs a handler for SIGTERM, finishes what it has accepted and exits with 0.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const host = process.env.HOST, to = !host || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? '[' + host + ']' : host; fetch('http://' + to + ':' + (process.env.PORT || 3567) + '/health').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/src/main.js"]
