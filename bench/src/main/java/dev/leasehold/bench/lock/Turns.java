package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the workers of one run did with the lock that all want.
 *
 * @param waitsCutShort how long those waited who had not got it when the time was over
 */
record Turns(List<Turn> all, List<Long> waitsCutShort) {
    private static final double NANOS_PER_MILLI = 1e6;

    Turns {
        all = all.stream().sorted(Comparator.comparingLong(Turn::acquired)).toList();
        waitsCutShort = List.copyOf(waitsCutShort);
    }

    static Turns together(List<Turns> parts) {
        List<Turn> turns = new ArrayList<>();
        List<Long> cut = new ArrayList<>();
        parts.forEach(part -> {
            turns.addAll(part.all);
            cut.addAll(part.waitsCutShort);
        });
        return new Turns(turns, cut);
    }

    /**
     * One operation is a hand-off from one worker to another, and its latency the time from the release to the next holder.
     *
     * @throws IllegalStateException if two had the lock at once
     */
    void record(Recorder recorder) {
        Tally tally = recorder.tally();
        for (int i = 1; i < all.size(); i++) {
            Turn before = all.get(i - 1);
            Turn turn = all.get(i);
            if (turn.acquired() < before.released()) {
                throw new IllegalStateException("two workers had the same lock at the same time");
            }
            if (turn.worker() != before.worker()) {
                tally.add(turn.acquired() - before.released(), 1);
            }
        }
        recorder.extra("workers that had a turn", (double)
                all.stream().mapToInt(Turn::worker).distinct().count());
        recorder.extra("turns", all.size());
        recordWaits(recorder);
    }

    private void recordWaits(Recorder recorder) {
        double mean = all.stream().mapToLong(Turn::waited).average().orElse(0);
        long cut = waitsCutShort.stream().mapToLong(Long::longValue).max().orElse(0);
        long longest = all.stream().mapToLong(Turn::waited).max().orElse(0);
        recorder.extra("mean wait ms", mean / NANOS_PER_MILLI);
        recorder.extra("longest wait ms", Math.max(longest, cut) / NANOS_PER_MILLI);
        recorder.extra("longest / mean wait", mean == 0 ? 0 : Math.max(longest, cut) / mean);
    }
}
