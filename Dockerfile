# syntax=docker/dockerfile:1

# The image of the server, `causal serve`.
#
#   docker build -t causal .
#   docker run -p 8080:8080 -v causal-data:/data causal serve --public-url https://causal.example.com
#
# The image holds three programs and nothing else: causal, git, which it fetches repositories with, and a wget for the
# health check. There is no shell and no package manager in it, so that whoever finds a hole in one of them finds no tools.

# A release brings programs that are built already: --build-context build=DIR takes the place of this stage.
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
ARG TARGETOS
ARG TARGETARCH
ARG TARGETPLATFORM
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
# With .git, from which go takes the version that `causal --version` tells.
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags="-s -w" -o "/$TARGETPLATFORM/causal" .

# Debian's git and what it is linked to. git-remote-http speaks with GitHub; the other hundred programs of the package are
# scripts in Perl and shell, or git by another name.
FROM debian:bookworm-slim AS files
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN apt-get update && apt-get install -y --no-install-recommends busybox-static ca-certificates git
RUN install -D -t /image/usr/bin /usr/bin/git; \
    install -D -t /image/usr/lib/git-core /usr/lib/git-core/git-remote-http; \
    ln -s git-remote-http /image/usr/lib/git-core/git-remote-https; \
    ldd /usr/bin/git /usr/lib/git-core/git-remote-http | awk '$2 == "=>" {print $3} $1 ~ "^/lib" {print $1}' | sort -u | \
        xargs cp --parents -L -t /image; \
    install -D /bin/busybox /image/usr/bin/wget; \
    install -D -m 644 -t /image/etc/ssl/certs /etc/ssl/certs/ca-certificates.crt; \
    install -d -m 1777 /image/tmp; \
    echo 'causal:x:65532:65532::/data:/nonexistent' >/image/etc/passwd; \
    echo 'causal:x:65532:' >/image/etc/group; \
    echo 'hosts: files dns' >/image/etc/nsswitch.conf
# Licences, and which packages these files are of, so that scanners find what has to be updated.
RUN install -d /image/var/lib/dpkg/status.d /data; \
    { echo busybox-static; echo ca-certificates; echo git; \
      for library in $(find /image -name '*.so*'); do dpkg -S "*/${library##*/}" | cut -d: -f1; done; } | sort -u | \
    while read -r package; do \
      dpkg-query -s "$package" >"/image/var/lib/dpkg/status.d/$package"; \
      cp --parents -L -t /image "/usr/share/doc/$package/copyright"; \
    done

FROM scratch
ARG TARGETPLATFORM
LABEL org.opencontainers.image.title="causal" \
      org.opencontainers.image.description="Keeps the documentation of git repositories true, as a GitHub App" \
      org.opencontainers.image.source="https://github.com/causaldocs/causal" \
      org.opencontainers.image.documentation="https://github.com/causaldocs/causal/blob/main/docs/self-hosting.md" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=files /image/ /
COPY --from=files --chown=65532:65532 /data /data
COPY --from=build /$TARGETPLATFORM/causal /usr/bin/causal
ENV PATH=/usr/bin
# A number, so that Kubernetes can see that it is not root.
USER 65532:65532
# The data directory is ./causal-data where no --data says otherwise, and so in the volume.
WORKDIR /data
VOLUME /data
EXPOSE 8080
# On the admin port, which nobody outside of the container can reach unless --admin says so.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/usr/bin/wget", "-q", "-O", "/dev/null", "http://127.0.0.1:9090/readyz"]
ENTRYPOINT ["/usr/bin/causal"]
CMD ["serve"]
