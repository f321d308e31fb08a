# watchdog: waits until the process $1, which started at the clock tick $2, has ended. Then stops the PostgreSQL whose data
# directory is $3, and deletes that directory.
owner=$1 ticks=$2 directory=$3
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

stop_postgres() {
    { read -r postmaster < "$directory/database/data/postmaster.pid"; } 2> /dev/null || return
    is_postmaster "$postmaster" && kill -QUIT "$postmaster"
    while is_postmaster "$postmaster"; do sleep 0.1; done
}

while is_owner_alive; do sleep 1; done
for round in 1 2 3 4 5; do # a JVM that was about to start it may need a moment to learn that its owner has ended
    stop_postgres
    rm -rf "$directory"
    sleep 1
done
