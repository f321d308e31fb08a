package dev.leasehold.chaos.model;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.model.LockState.Client;
import dev.leasehold.chaos.model.LockState.Phase;
import dev.leasehold.chaos.model.LockState.Row;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One key: grant, extend, expire, guard, takeover, release, with clients that pause, forget and lose answers at any time.
 *
 * <p>A call is three steps, so that anything can happen in between: it is sent, the store carries it out, the answer arrives. Guard
 * is one, because its caller does nothing meanwhile. A holder believes that it holds until what it asked for has passed since it
 * sent the call; the store counts from when it carries it out.
 */
public final class LockModel implements Model<LockState> {
    /** What the store and its clients keep to. Leave one out to see what it is for. */
    public enum Rule {
        /** Acquire grants only what is free or expired. */
        ACQUIRE_CHECKS,
        /** Every grant has a fence greater than all before. */
        FENCE_GROWS,
        /** Extend extends only the grant that it names, and only while it is live. */
        EXTEND_CHECKS,
        /** Release ends only the grant that it names. */
        RELEASE_CHECKS,
        /** Guard succeeds only under the live grant. */
        GUARD_CHECKS,
        /** What is guarded is not taken nor released until the transaction has ended. */
        GUARD_HOLDS,
        /** The expiry counts from when the call is carried out, or later. */
        CLOCK_IS_FRESH,
        /** A holder counts from when it sent the call, not from when the answer came. */
        HOLDER_COUNTS_FROM_SENDING
    }

    private static final int TTL = 2;
    private static final String KEY = "key";

    private final Set<Rule> rules;
    private final int clients;
    private final int ticks;

    private LockModel(Set<Rule> rules, int clients, int ticks) {
        this.rules = rules;
        this.clients = clients;
        this.ticks = ticks;
    }

    /** A model of that many clients, over that many ticks, of which a grant lasts two. */
    public static LockModel of(int clients, int ticks) {
        return new LockModel(EnumSet.allOf(Rule.class), clients, ticks);
    }

    /** The same without a rule. */
    public LockModel without(Rule rule) {
        Set<Rule> others = EnumSet.copyOf(rules);
        others.remove(rule);
        return new LockModel(others, clients, ticks);
    }

    @Override
    public LockState initial() {
        return LockState.initial(clients);
    }

    @Override
    public int now(LockState state) {
        return state.now();
    }

    @Override
    public @Nullable String violation(LockState state) {
        long holders = state.clients().stream()
                .filter(client -> client.believesAt(state.now()))
                .count();
        return holders > 1 ? "OneHolder" : state.violation();
    }

    @Override
    public List<Step<LockState>> steps(LockState state) {
        List<Step<LockState>> steps = new ArrayList<>();
        if (state.violation() != null) {
            return steps;
        }
        if (state.now() < ticks) {
            steps.add(new Step<>("tick " + (state.now() + 1), state.tick(), List.of()));
        }
        for (int c = 0; c < state.clients().size(); c++) {
            new Moves(state, c, steps).add();
        }
        return steps;
    }

    /** What one client can do in a state, or have done to its call. */
    private final class Moves {
        private final LockState state;
        private final int number;
        private final Client client;
        private final List<Step<LockState>> steps;

        Moves(LockState state, int number, List<Step<LockState>> steps) {
            this.state = state;
            this.number = number;
            this.client = state.clients().get(number);
            this.steps = steps;
        }

        void add() {
            switch (client.phase()) {
                case IDLE -> sendAcquire();
                case ACQUIRING -> runAcquire();
                case GRANTED -> hearGranted();
                case REFUSED -> step("hears that it is locked", client.idle(), told(Kind.FAIL, Operation.ACQUIRE));
                case HOLDING -> decide();
                case EXTENDING -> runExtend();
                case EXTENDED -> hearExtended();
                case GONE -> step("hears that it is gone", client.idle(), told(Kind.FAIL, Operation.EXTEND));
                case RELEASING -> runRelease();
                case GUARDED -> finishTransaction();
                case COMMITTING -> hearCommitted();
            }
        }

        private void sendAcquire() {
            if (client.left() > 0) {
                step("asks for the lock", client.sends(Phase.ACQUIRING, state), asked(Operation.ACQUIRE));
            }
        }

        private void runAcquire() {
            Row row = state.row();
            boolean isFree = row == null || (state.now() >= row.expires() && !isGuarded());
            if (isFree || !rules.contains(Rule.ACQUIRE_CHECKS)) {
                int fence = state.fences() + (rules.contains(Rule.FENCE_GROWS) || state.fences() == 0 ? 1 : 0);
                Row fresh = new Row(state.grants() + 1, fence, expiry());
                step("is granted fence " + fence, state.grant(fresh), client.granted(fresh), null);
            } else {
                step("is refused", client.to(Phase.REFUSED), null);
            }
            step("loses its answer", client.idle(), told(Kind.UNKNOWN, Operation.ACQUIRE));
        }

        private int expiry() {
            return state.now() + TTL - (rules.contains(Rule.CLOCK_IS_FRESH) ? 0 : 1);
        }

        private void hearGranted() {
            boolean isOld = client.fence() <= client.seen() || state.isTold(client.fence());
            LockState heard = state.tell(client.fence(), isOld ? "FencesGrow" : null);
            step(
                    "hears of fence " + client.fence(),
                    heard,
                    client.holds(heldUntil()),
                    told(Kind.OK, Operation.ACQUIRE));
            step("loses its answer", client.idle(), told(Kind.UNKNOWN, Operation.ACQUIRE));
        }

        private int heldUntil() {
            return TTL + (rules.contains(Rule.HOLDER_COUNTS_FROM_SENDING) ? client.sent() : state.now());
        }

        private void decide() {
            if (client.left() > 0) {
                step("asks to extend", client.sends(Phase.EXTENDING, state), asked(Operation.EXTEND));
            }
            step("asks to release", client.to(Phase.RELEASING), asked(Operation.RELEASE));
            step("forgets", client.idle(), null);
            if ((isOwn() && isLive()) || !rules.contains(Rule.GUARD_CHECKS)) {
                step("guards its transaction", client.to(Phase.GUARDED), null);
            }
        }

        private void runExtend() {
            Row row = state.row();
            if (row != null && ((isOwn() && isLive()) || !rules.contains(Rule.EXTEND_CHECKS))) {
                step("is extended", state.row(row.expires(expiry())), client.to(Phase.EXTENDED), null);
            } else {
                step("is not extended", client.to(Phase.GONE), null);
            }
        }

        private void hearExtended() {
            step("hears that it is extended", client.holds(heldUntil()), told(Kind.OK, Operation.EXTEND));
        }

        private void runRelease() {
            boolean mayEnd = (isOwn() && isLive()) || !rules.contains(Rule.RELEASE_CHECKS);
            if (mayEnd && !isGuarded()) {
                step("has released", state.row(null), client.idle(), told(Kind.OK, Operation.RELEASE));
            } else {
                step("had nothing to release", client.idle(), told(Kind.FAIL, Operation.RELEASE));
            }
        }

        private void finishTransaction() {
            step("asks to commit", client.sends(Phase.COMMITTING, state), asked(Operation.COMMIT));
            step("rolls back", client.to(Phase.HOLDING), null);
        }

        private void hearCommitted() {
            LockState after = client.fence() < client.seen() ? state.violating("NoStaleCommit") : state;
            step("has committed", after, client.to(Phase.HOLDING), told(Kind.OK, Operation.COMMIT));
        }

        private boolean isOwn() {
            Row row = state.row();
            return row != null && row.grant() == client.grant();
        }

        private boolean isLive() {
            Row row = state.row();
            return row != null && state.now() < row.expires();
        }

        private boolean isGuarded() {
            Row row = state.row();
            return rules.contains(Rule.GUARD_HOLDS)
                    && row != null
                    && state.clients().stream().anyMatch(other -> other.guards(row));
        }

        private void step(String words, Client next, @Nullable Told told) {
            step(words, state, next, told);
        }

        private void step(String words, LockState after, Client next, @Nullable Told told) {
            steps.add(new Step<>(
                    "client " + number + " " + words,
                    after.with(number, next),
                    told == null ? List.of() : List.of(told)));
        }

        private Told asked(Operation operation) {
            return new Told("c" + number, Kind.INVOKE, operation, KEY, facts(operation));
        }

        private Told told(Kind kind, Operation operation) {
            Facts facts = kind == Kind.OK ? facts(Operation.COMMIT) : Facts.NONE;
            return new Told("c" + number, kind, operation, KEY, facts);
        }

        private Facts facts(Operation operation) {
            boolean asksForTime = operation == Operation.ACQUIRE || operation == Operation.EXTEND;
            boolean isGranted = operation != Operation.ACQUIRE;
            return new Facts(
                    null,
                    isGranted ? "g" + client.grant() : null,
                    isGranted ? (long) client.fence() : null,
                    asksForTime ? TTL * Trace.TICK_NANOS : null,
                    false,
                    List.of(),
                    null,
                    null);
        }
    }
}
