package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No guarded transaction of a stale holder commits. Guard keeps everybody else from taking the lock until the transaction ends, so
 * when a commit is invoked, nobody can have been granted a greater fence, or have committed under one.
 *
 * <p>A commit whose outcome is not known has committed if what it wrote is there at the end; otherwise nothing is concluded from it. Nor
 * is anything from a grant that was under way at the same time.
 */
final class NoStaleCommit implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        Map<String, Grants> grants = Grants.of(calls);
        Set<String> left = left(calls);
        calls.bySubject(Operation.COMMIT).forEach((key, commits) -> {
            List<Call> committed =
                    commits.stream().filter(commit -> isCommitted(commit, left)).toList();
            List<Fenced> fenced = new ArrayList<>();
            committed.forEach(commit -> fenced.add(new Fenced(commit, fence(commit))));
            Grants known = grants.get(key);
            if (known != null) {
                known.firsts().forEach(grant -> fenced.add(new Fenced(grant, Grants.fence(grant))));
            }
            check(key, committed, fenced, found);
        });
        return found;
    }

    /** All that is there at the end. */
    private static Set<String> left(Calls calls) {
        return calls.of(Operation.LEFT)
                .filter(Call::isOk)
                .flatMap(look -> Items.found(look).stream())
                .map(ItemFacts::payload)
                .collect(Collectors.toSet());
    }

    private static boolean isCommitted(Call commit, Set<String> left) {
        return commit.isOk()
                || (commit.maybe()
                        && commit.invoke().facts().items().stream().anyMatch(item -> left.contains(item.payload())));
    }

    /** Commits in the order of their invocation, each against the greatest fence that was known to be used before. */
    private void check(String key, List<Call> commits, List<Fenced> fenced, List<Violation> found) {
        fenced.sort(Comparator.comparingLong(one -> one.call().done()));
        Fenced greatest = null;
        int ended = 0;
        for (Call commit : commits) {
            while (ended < fenced.size() && fenced.get(ended).call().isBefore(commit)) {
                Fenced next = fenced.get(ended++);
                greatest = greatest != null && greatest.fence() >= next.fence() ? greatest : next;
            }
            if (greatest != null && greatest.fence() > fence(commit)) {
                found.add(violation(
                        "key '" + key + "': a guarded transaction committed under fence " + fence(commit)
                                + ", although fence " + greatest.fence() + " had been granted before",
                        greatest.call(),
                        commit));
            }
        }
    }

    private static long fence(Call commit) {
        return Objects.requireNonNull(commit.invoke().facts().fence(), "a guarded commit must tell its fence");
    }

    /** A call that was made under a fence. */
    private record Fenced(Call call, long fence) {}
}
