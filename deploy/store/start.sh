#!/bin/sh
# Starts a node of the store: `start.sh NAME`, the name by which the others find it.
set -eu
cluster=no
[ "${CLUSTER:-}" = on ] && cluster=yes
exec valkey-server /etc/valkey/valkey.conf --maxmemory "${STORE_MEMORY:-1gb}" \
    --cluster-enabled "$cluster" --cluster-announce-hostname "$1"
