package dev.leasehold.chaos.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link LockModel} is.
 *
 * @param row what the store has of the key
 * @param fences the fence counter
 * @param grants how many grants there were: the number of the last is its lock id
 * @param told the fences that a holder has heard of
 * @param violation the invariant that the last step has violated
 */
record LockState(
        int now,
        @Nullable Row row,
        int fences,
        int grants,
        Set<Integer> told,
        List<Client> clients,
        @Nullable String violation) {
    private static final int ASKS = 2;

    static LockState initial(int clients) {
        Client idle = new Client(Phase.IDLE, 0, 0, 0, 0, 0, ASKS);
        return new LockState(0, null, 0, 0, Set.of(), Collections.nCopies(clients, idle), null);
    }

    LockState tick() {
        return new LockState(now + 1, row, fences, grants, told, clients, violation);
    }

    LockState row(@Nullable Row row) {
        return new LockState(now, row, fences, grants, told, clients, violation);
    }

    LockState grant(Row fresh) {
        return new LockState(now, fresh, fresh.fence, fresh.grant, told, clients, violation);
    }

    LockState tell(int fence, @Nullable String violation) {
        Set<Integer> more = new TreeSet<>(told);
        more.add(fence);
        return new LockState(now, row, fences, grants, more, clients, violation);
    }

    LockState violating(String violation) {
        return new LockState(now, row, fences, grants, told, clients, violation);
    }

    LockState with(int number, Client client) {
        List<Client> changed = new ArrayList<>(clients);
        changed.set(number, client);
        return new LockState(now, row, fences, grants, told, List.copyOf(changed), violation);
    }

    boolean isTold(int fence) {
        return told.contains(fence);
    }

    int greatestTold() {
        return told.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** What the store has of a grant. */
    record Row(int grant, int fence, int expires) {
        Row expires(int expires) {
            return new Row(grant, fence, expires);
        }
    }

    /** Where a client is; of what it asked the store, whether that has been carried out. */
    enum Phase {
        IDLE,
        ACQUIRING,
        GRANTED,
        REFUSED,
        HOLDING,
        EXTENDING,
        EXTENDED,
        GONE,
        RELEASING,
        GUARDED,
        COMMITTING
    }

    /**
     * One client of the store.
     *
     * @param until until when it believes that it holds the lock
     * @param sent when it sent its call
     * @param seen the greatest fence that anybody had heard of then
     * @param left how often it may still ask for something
     */
    record Client(Phase phase, int grant, int fence, int until, int sent, int seen, int left) {
        Client to(Phase phase) {
            return new Client(phase, grant, fence, until, sent, seen, left);
        }

        Client idle() {
            return new Client(Phase.IDLE, 0, 0, 0, 0, 0, left);
        }

        Client sends(Phase phase, LockState state) {
            int asks = phase == Phase.COMMITTING ? left : left - 1;
            return new Client(phase, grant, fence, until, state.now, state.greatestTold(), asks);
        }

        Client granted(Row row) {
            return new Client(Phase.GRANTED, row.grant, row.fence, 0, sent, seen, left);
        }

        Client holds(int until) {
            return new Client(Phase.HOLDING, grant, fence, until, 0, 0, left);
        }

        boolean guards(Row row) {
            return (phase == Phase.GUARDED || phase == Phase.COMMITTING) && grant == row.grant;
        }

        /** Whether it would work now. */
        boolean believesAt(int now) {
            return switch (phase) {
                case HOLDING, EXTENDING, EXTENDED, GONE, GUARDED, COMMITTING -> now < until;
                case IDLE, ACQUIRING, GRANTED, REFUSED, RELEASING -> false;
            };
        }
    }
}
