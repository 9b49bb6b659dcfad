# rsaxcel with all of its tools, for systems other than Debian:
#   docker build --tag rsaxcel .
#   docker run --rm rsaxcel rsaxcel sim mont_r2l --random 1000
#   mkdir -p build && docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD/build:/rsaxcel/build" rsaxcel make report
# By name, not by digest: a digest would keep Debian's packages of one day, with the holes found since. apt-get checks
# Debian's signatures, pip the hashes of requirements.txt.
FROM debian:12-slim
RUN apt-get update && \
    apt-get install --yes --no-install-recommends ca-certificates git make python3 python3-venv && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /rsaxcel
COPY . .
ENV PIP_NO_CACHE_DIR=1
# The same set-up as everywhere; the image is made only if nothing is missing.
RUN make setup && .venv/bin/rsaxcel doctor && rm -rf /var/lib/apt/lists/*
# Code belongs to root, results to a user without rights. Compiled code is kept below HOME, where the
# user that `--user` names can write, too.
RUN useradd rsaxcel && install --directory --owner rsaxcel build
USER rsaxcel
ENV HOME=/tmp
ENV PATH=/rsaxcel/.venv/bin:$PATH
CMD ["bash"]
