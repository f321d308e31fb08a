package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Traffic;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** L2: all workers want one lock. They are threads of this JVM, or of several others. */
final class HotKey {
    private HotKey() {}

    static Trial open(LockSystem.Nodes nodes, Variant variant) throws Exception {
        return variant.size() == 1 ? new OneJvm(nodes, variant.concurrency()) : new ManyJvms(nodes, variant);
    }

    private static final class OneJvm implements Trial {
        private final LockSystem.Nodes nodes;
        private final LockSystem.Node node;
        private final int workers;

        OneJvm(LockSystem.Nodes nodes, int workers) throws Exception {
            this.nodes = nodes;
            this.node = nodes.open();
            this.workers = workers;
        }

        @Override
        public void run(Recorder recorder, Duration duration) throws InterruptedException {
            new HotKeyNode(node.locker(), 0, workers).run(duration).record(recorder);
        }

        @Override
        public void close() {
            try (nodes) {
                node.close();
            }
        }
    }

    /** As many as the variant says; two where it only matters that it runs. */
    private static final class ManyJvms implements Trial {
        private final LockSystem.Nodes nodes;
        private final List<ChildJvm> jvms = new ArrayList<>();

        ManyJvms(LockSystem.Nodes nodes, Variant variant) {
            this.nodes = nodes;
            int count = nodes.bench().isShort() ? 2 : variant.size();
            int workers = variant.concurrency() / count;
            for (int i = 0; i < count; i++) {
                jvms.add(start(i * workers, workers));
            }
            jvms.forEach(this::awaitReady);
        }

        private ChildJvm start(int firstWorker, int workers) {
            Program program = Program.of(
                            HotKeyMain.class,
                            nodes.system().name(),
                            nodes.database().countedUrl(nodes.schema()),
                            nodes.database().user(),
                            Integer.toString(firstWorker),
                            Integer.toString(workers))
                    .environment(Map.of(HotKeyMain.PASSWORD, nodes.database().password()))
                    .options("-Xmx512m", "-XX:+UseSerialGC");
            return ChildJvm.start(program);
        }

        private void awaitReady(ChildJvm jvm) {
            String said = jvm.hear();
            if (!said.equals(HotKeyMain.READY)) {
                close();
                throw new IllegalStateException("expected the other JVM to be ready, it said: " + said);
            }
        }

        @Override
        public void run(Recorder recorder, Duration duration) {
            jvms.forEach(jvm -> jvm.say(Long.toString(duration.toNanos())));
            List<Turns> parts = new ArrayList<>();
            for (ChildJvm jvm : jvms) {
                parts.add(hear(jvm, recorder));
            }
            recorder.busy(duration.toNanos());
            Turns.together(parts).record(recorder);
        }

        private static Turns hear(ChildJvm jvm, Recorder recorder) {
            List<Turn> turns = new ArrayList<>();
            List<Long> cut = new ArrayList<>();
            while (true) {
                String line = jvm.hear();
                if (line.startsWith(HotKeyMain.TURN)) {
                    turns.add(Turn.parse(line.substring(HotKeyMain.TURN.length())));
                } else if (line.startsWith(HotKeyMain.CUT)) {
                    cut.add(Long.valueOf(line.substring(HotKeyMain.CUT.length())));
                } else if (line.startsWith(HotKeyMain.COST)) {
                    addCost(line.substring(HotKeyMain.COST.length()).split(" ", -1), recorder);
                    return new Turns(turns, cut);
                } else {
                    throw new IllegalStateException("the other JVM said what nobody understands: " + line);
                }
            }
        }

        private static void addCost(String[] cost, Recorder recorder) {
            recorder.elsewhere(new Traffic(Long.parseLong(cost[0]), Long.parseLong(cost[1])), Long.parseLong(cost[2]));
        }

        @Override
        public void close() {
            jvms.forEach(ChildJvm::close);
            nodes.close();
        }
    }
}
