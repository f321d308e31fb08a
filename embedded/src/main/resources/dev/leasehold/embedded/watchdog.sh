# watchdog: waits until the process $1, which started at the clock tick $2, has ended. Then stops the PostgreSQL whose data
# directory is $3. With $4 = delete it also deletes that directory. With $4 = keep it leaves a directory alone that another
# process has taken meanwhile.
owner=$1 ticks=$2 directory=$3 then=$4
trap '' HUP INT TERM
cd /

# The fields after the name, which may contain anything: the state is the first, the start the twentieth.
is_owner_alive() {
    { read -r line < "/proc/$owner/stat"; } 2> /dev/null || return 1
    set -- ${line##*) }
    [ "$1" != Z ] && [ "${20}" = "$ticks" ]
}

# The number alone may be another process's by now.
is_postmaster() { grep -qF "$directory/" "/proc/$1/cmdline" 2> /dev/null; }

# The file has no line break, so that read fails although it has read.
is_taken_by_owner() {
    holder=
    { read -r holder < "$directory/lock"; } 2> /dev/null
    [ "$holder" = "$owner" ]
}

# In order (fast: a checkpoint, no recovery) for a minute; at once (a recovery at the next start) after that.
stop_in_order() {
    { read -r postmaster < "$directory/database/data/postmaster.pid"; } 2> /dev/null || return
    is_postmaster "$postmaster" && kill -INT "$postmaster"
    tenths=0
    while is_postmaster "$postmaster"; do
        sleep 0.1
        tenths=$((tenths + 1))
        [ "$tenths" -ne 600 ] || kill -QUIT "$postmaster"
    done
}

stop_at_once() {
    { read -r postmaster < "$directory/database/data/postmaster.pid"; } 2> /dev/null || return
    is_postmaster "$postmaster" && kill -QUIT "$postmaster"
    while is_postmaster "$postmaster"; do sleep 0.1; done
}

while is_owner_alive; do sleep 1; done
directory=$(cd -P -- "$directory" 2> /dev/null && pwd -P) || exit 0
for round in 1 2 3 4 5; do # a JVM that was about to start it may need a moment to learn that its owner has ended
    if [ "$then" = delete ]; then
        stop_at_once
        rm -rf "$directory"
    else
        is_taken_by_owner || exit 0
        stop_in_order
    fi
    sleep 1
done
