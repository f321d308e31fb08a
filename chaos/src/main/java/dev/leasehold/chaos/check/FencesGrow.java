package dev.leasehold.chaos.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fences of a key only grow: a grant that was acquired after another was there has a greater fence, no two grants have the same,
 * and the same grant keeps its own.
 */
final class FencesGrow implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        Grants.of(calls).forEach((key, grants) -> {
            checkKept(key, grants, found);
            checkUnique(key, grants.firsts(), found);
            checkOrder(key, grants.firsts(), found);
        });
        return found;
    }

    private void checkKept(String key, Grants grants, List<Violation> found) {
        for (List<Call> same : grants.acquires().values()) {
            Call first = same.get(0);
            for (Call again : same) {
                if (Grants.fence(again) != Grants.fence(first)) {
                    found.add(violation(
                            "a grant of key '" + key + "' had fence " + Grants.fence(first) + " and then fence "
                                    + Grants.fence(again),
                            first,
                            again));
                }
            }
        }
    }

    private void checkUnique(String key, List<Call> grants, List<Violation> found) {
        Map<Long, Call> byFence = new HashMap<>();
        for (Call grant : grants) {
            Call other = byFence.putIfAbsent(Grants.fence(grant), grant);
            if (other != null) {
                found.add(violation("two grants of key '" + key + "' have fence " + Grants.fence(grant), other, grant));
            }
        }
    }

    /** In the order of invocation, each against the greatest fence that was there before. */
    private void checkOrder(String key, List<Call> grants, List<Violation> found) {
        List<Call> byEnd =
                grants.stream().sorted(Comparator.comparingLong(Call::done)).toList();
        List<Call> byBegin =
                grants.stream().sorted(Comparator.comparingLong(Call::began)).toList();
        Call greatest = null;
        int ended = 0;
        for (Call grant : byBegin) {
            while (ended < byEnd.size() && byEnd.get(ended).isBefore(grant)) {
                Call before = byEnd.get(ended++);
                greatest = greatest != null && Grants.fence(greatest) > Grants.fence(before) ? greatest : before;
            }
            if (greatest != null && Grants.fence(greatest) > Grants.fence(grant)) {
                found.add(violation(
                        "the fences of key '" + key + "' went back from " + Grants.fence(greatest) + " to "
                                + Grants.fence(grant),
                        greatest,
                        grant));
            }
        }
    }
}
