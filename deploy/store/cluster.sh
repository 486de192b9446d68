#!/bin/sh
# Makes a cluster of NODES, the first half of them masters, the others their replicas, and keeps it one. It looks what
# there is and does what is missing, so it may be stopped at any time. A node that has data keeps it: it takes the slots
# of its keys, which are shared out among the masters afterwards, while all goes on.
set -u
trap 'exit 0' TERM INT

REDISCLI_AUTH=$(cat /secrets/redis_password)
export REDISCLI_AUTH
# shellcheck disable=SC2086
set -- $NODES
masters=$(($# / 2))
empty_master='master.* connected$'

ask() { # NODE COMMAND…
    node=$1
    shift
    timeout 5 valkey-cli -h "$node" --no-auth-warning "$@"
}

of_all() { # a VALUE of CLUSTER INFO, as the first node says
    ask "$first" cluster info | tr -d '\r' | sed -n "s/^$1://p"
}

address() {
    getent hosts "$1" | awk '{ print $1; exit }'
}

answering() {
    for node; do
        [ "$(ask "$node" ping 2>/dev/null)" = PONG ] && echo "$node"
    done
}

is_whole() {
    [ "$(of_all cluster_state)" = ok ] && [ "$(of_all cluster_slots_assigned)" = 16384 ] &&
        [ "$(of_all cluster_known_nodes)" = $# ] && is_shared_out &&
        ! ask "$first" cluster nodes | grep -q -e fail -e noaddr -e handshake -e disconnected -e "$empty_master" &&
        all_follow "$@"
}

# Each master has about its part of the slots, and none is on its way.
is_shared_out() {
    ask "$first" cluster nodes | awk -v least=$((16384 * 9 / 10 / masters)) -v wanted="$masters" '
        {
            slots = 0
            for (i = 9; i <= NF; i++) {
                if ($i ~ /^\[/) moving = 1
                else { ends = split($i, end, "-"); slots += end[ends] - end[1] + 1 }
            }
            if (slots >= least) holders++
        }
        END { exit moving || holders < wanted }'
}

# Every replica has what its master has.
all_follow() {
    for node; do
        case $(ask "$node" role | tr '\n' ' ') in
        slave*' connected '* | master*) ;;
        *) return 1 ;;
        esac
    done
}

# Every node is told of every other, by the address that it has today.
meet() {
    for node; do
        ask "$first" cluster meet "$(address "$node")" 6379 >/dev/null
    done
    waited=0
    until [ "$(of_all cluster_known_nodes)" -ge $# ] || [ $((waited += 1)) -gt 20 ]; do sleep 0.5; done
}

# A node of the second half that is an empty master becomes the replica of its partner in the first; fails where one
# does not know its partner yet.
replicate() {
    number=0
    for node; do
        number=$((number + 1))
        [ $number -gt $masters ] || continue
        ask "$node" cluster nodes | grep myself | grep -q "$empty_master" || continue
        partner=$(eval "echo \${$((number - masters))}")
        [ "$(ask "$node" cluster replicate "$(ask "$partner" cluster myid)")" = OK ] || return 1
    done
}

# Of the slots that nobody has, those between FROM and TO, as ranges.
free() {
    ask "$first" cluster nodes | awk -v from="$1" -v to="$2" '
        {
            for (i = 9; i <= NF; i++) if ($i !~ /^\[/) {
                ends = split($i, end, "-")
                for (slot = end[1]; slot <= end[ends]; slot++) taken[slot]
            }
        }
        END {
            for (slot = from; slot <= to + 1; slot++) {
                is_free = slot <= to && !(slot in taken)
                if (is_free && !was_free) printf "%d ", slot
                if (!is_free && was_free) printf "%d ", slot - 1
                was_free = is_free
            }
        }'
}

# A slot that was on its way when this was stopped arrives, and nobody waits for one that has.
settle() {
    timeout 60 valkey-cli --no-auth-warning --cluster fix "$(address "$first")":6379 </dev/null >/dev/null
    for slot in $(for node; do ask "$node" cluster nodes | grep myself | grep -o '\[[0-9]*' | tr -d '['; done | sort -u); do
        holders=0
        for node; do
            [ "$(ask "$node" role | head -n 1)" = master ] || continue
            [ "$(ask "$node" cluster countkeysinslot "$slot")" = 0 ] || holders=$((holders + 1))
        done
        [ $holders -le 1 ] || continue
        for node; do
            [ "$(ask "$node" role | head -n 1)" != master ] || ask "$node" cluster setslot "$slot" stable >/dev/null
        done
    done
}

# Each master takes its part of the slots that nobody has; then those that have more than their part give
# some away.
share_out() {
    number=0
    for node; do
        number=$((number + 1))
        [ $number -le $masters ] || break
        ranges=$(free $(((number - 1) * 16384 / masters)) $((number * 16384 / masters - 1)))
        # shellcheck disable=SC2086
        [ -z "$ranges" ] || ask "$node" cluster addslotsrange $ranges >/dev/null
    done
    sleep 3                     # until every node knows
    settle "$@"
    timeout 3600 valkey-cli --no-auth-warning --cluster rebalance "$(address "$first")":6379 >/dev/null
}

rm -f /tmp/whole
while :; do
    first=$(answering "$@" | head -n 1)
    if [ -z "$first" ]; then
        echo "no node answers yet"
    elif is_whole "$@"; then
        [ -e /tmp/whole ] || echo "the cluster is whole"
        touch /tmp/whole
    elif [ "$(answering "$@" | wc -l)" -lt $# ]; then
        echo "not all nodes answer yet"
    else
        rm -f /tmp/whole
        meet "$@"
        replicate "$@" && { is_shared_out || share_out "$@"; }
    fi
    sleep 2
done
