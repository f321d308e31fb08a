# watchdog: waits until the process $1, which started at the clock tick $2, has ended. Then stops the PostgreSQL whose data
# directory is $3, and goes on as long as a process is left there: pg_ctl may have no server yet, and start one later. With
# $4 = delete it also deletes that directory. With $4 = keep it leaves a directory alone that another process has taken meanwhile.
owner=$1 ticks=$2 directory=$3 then=$4
rounds=5 # at least: a JVM that was about to start a server may need a moment to learn that its owner has ended
trap '' HUP INT TERM
cd /

# The fields after the name, which may contain anything: the state is the first, the start the twentieth.
read_stat() {
    { read -r line < "/proc/$1/stat"; } 2> /dev/null || return 1
    set -- ${line##*) }
    state=$1 start=${20}
}

is_alive() { read_stat "$1" && [ "$state" != Z ]; }

is_owner_alive() { is_alive "$owner" && [ "$start" = "$ticks" ]; }

# Whether process $1 is a program of PostgreSQL in the directory, or a process that is about to become one. Only builtins, so that
# no child of this script has the directory in its command line. This script itself is not found: read ends at its first line break.
is_of_directory() {
    name= words=
    { read -r name < "/proc/$1/comm"; } 2> /dev/null
    case $name in pg_ctl | postgres | initdb | sh | setpriv | unshare) ;; *) return 1 ;; esac
    { read -r words < "/proc/$1/cmdline"; } 2> /dev/null
    case $words in *"$directory/"*) return 0 ;; *) return 1 ;; esac
}

is_any_left() {
    for process in /proc/[0-9]*; do
        is_of_directory "${process#/proc/}" && return 0
    done
    return 1
}

# Whether a process has the directory: the lock file names it, and it has that file open. A number that was not written to its end,
# or that another process has by now, names nobody. If the open files may not be read, a whole line must do.
is_taken() {
    holder= is_whole=false
    { read -r holder < "$directory/lock"; } 2> /dev/null && is_whole=true
    [ -n "$holder" ] && is_alive "$holder" || return 1
    for file in "/proc/$holder/fd/"*; do
        [ "$file" -ef "$directory/lock" ] && return 0
    done
    $is_whole && ! [ -r "/proc/$holder/fd" ]
}

# In order (fast: a checkpoint, no recovery) for a minute; at once (a recovery at the next start) after that. The number in the file
# may be another process's by now.
stop_in_order() {
    { read -r postmaster < "$directory/database/data/postmaster.pid"; } 2> /dev/null || return
    is_of_directory "$postmaster" && kill -INT "$postmaster"
    tenths=0
    while is_of_directory "$postmaster"; do
        sleep 0.1
        tenths=$((tenths + 1))
        [ "$tenths" -ne 600 ] || kill -QUIT "$postmaster"
    done
}

# Without the file, which may be deleted already.
stop_at_once() {
    for process in /proc/[0-9]*; do
        number=${process#/proc/}
        is_of_directory "$number" && [ "$name" = postgres ] || continue
        kill -QUIT "$number"
        while is_of_directory "$number"; do sleep 0.1; done
    done
}

while is_owner_alive; do sleep 1; done
directory=$(cd -P -- "$directory" 2> /dev/null && pwd -P) || exit 0
while [ "$rounds" -gt 0 ] || is_any_left; do
    if [ "$then" = delete ]; then
        stop_at_once
        rm -rf "$directory"
    else
        is_taken && exit 0
        stop_in_order
    fi
    rounds=$((rounds - 1))
    sleep 1
done
[ "$then" = keep ] || rm -rf "$directory"
