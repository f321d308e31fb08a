package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestWaits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Every example runs, ends by itself and tells what it promises to tell. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
@ResourceLock(Resources.SYSTEM_OUT)
class ExamplesTest {
    @Test
    void quick_start() throws Exception {
        assertThat(told(QuickStart::main))
                .contains("Node B tries to acquire it: refused.")
                .contains("node B holds it with fence 000000000000002.")
                .contains("under the guard of fence 000000000000003.")
                .contains("so node B acquires it with fence 000000000000005.")
                .contains("lock 'ledger:7' was lost: fence 4 ")
                .contains("A worker leased 2 items from a queue, ")
                .endsWith("Done.");
    }

    @Test
    void waiting() throws Exception {
        assertThat(told(Waiting::main))
                .contains("Not at all: refused.")
                .contains("For a while: AcquisitionTimeout: lock ")
                .contains("Until told to stop: Aborted: Operation aborted by signal.")
                .contains("Without a thread: one who waits was granted fence ")
                .contains("Without a thread: another who waits was granted fence ");
    }

    @Test
    void guarding() throws Exception {
        assertThat(told(Guarding::main))
                .contains("extending it works: true.")
                .contains("Committed, then released: locked is false.")
                .contains("before the commit locked is true,")
                .contains("after it false.")
                .contains("the release did not happen, locked is true;");
    }

    @Test
    void holders() throws Exception {
        assertThat(told(Holders::main))
                .contains("fences 000000000000001 and 000000000000001, one grant.")
                .contains("worker-2 was refused.")
                .contains("Held by Holder[owner=import-service, instanceId=worker-1] since ")
                .contains("Extended by its lock id: true.")
                .contains("Released by its lock id: true.")
                .contains("Released once more: false.");
    }

    @Test
    void telemetry() throws Exception {
        assertThat(told(Telemetry::main))
                .containsPattern("acquire +ok +key=null keyHash=[0-9a-f]{24}")
                .containsPattern("acquire +fail locked key=report keyHash=[0-9a-f]{24}")
                .containsPattern("guard +ok")
                .containsPattern("release +ok")
                .containsPattern("isLocked +fail");
    }

    @Test
    void memory_locks_in_tests() throws Exception {
        assertThat(told(MemoryLocksInTests::main))
                .contains("Free: closed with fence 000000000000001.")
                .contains("Held by another node: somebody else is at it.")
                .contains("later: closed with fence 000000000000003.");
    }

    @Test
    void queue_quick_start() throws Exception {
        assertThat(told(QueueQuickStart::main))
                .contains("Node B leased 'welcome', attempt 1.")
                .contains("Node B leased 'invoice', attempt 1.")
                .contains("Completed: 0 items left.")
                .contains("has it now: attempt 2.")
                .contains("completes: NO_SUCH_ITEM, because the item has a new id.")
                .contains("A handler works on 'one'.")
                .contains("A handler works on 'two'.")
                .contains("A handler works on 'later'.")
                .contains("The consumer is closed: 0 items left.")
                .endsWith("Done.");
    }

    @Test
    void exactly_once() throws Exception {
        assertThat(told(ExactlyOnce::main))
                .contains("Committed: 0 orders, 2 entries, 2 receipts.")
                .contains("Failed before the commit: 1 orders, 2 entries, 2 receipts.")
                .contains("Its lease has ended: NO_SUCH_ITEM.")
                .contains("The one before tried too: 1 orders, 2 entries, 2 receipts.")
                .contains("Worked by the next: 0 orders, 3 entries, 3 receipts.");
    }

    @Test
    void dead_letters() throws Exception {
        assertThat(told(DeadLetters::main))
                .contains("Attempt 1 to send 'to nobody' fails.")
                .contains("Attempt 2 to send 'to nobody' fails.")
                .contains("After two attempts it is a dead letter: 'to nobody'.")
                .contains("Another is refused at its first attempt.")
                .contains("In the dead queue: 9 bytes, attempts 0, source id known: true.")
                .contains("In the dead queue: 17 bytes, attempts 0, source id known: true.")
                .contains("Back in the queue: 'to nobody', attempt 1.")
                .contains("Back in the queue: 'not even a letter', attempt 1.");
    }

    /** What an example prints. */
    private static String told(Example example) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setOut(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            example.run(new String[0]);
        } finally {
            System.setOut(before);
        }
        return told.toString(StandardCharsets.UTF_8).strip();
    }

    @FunctionalInterface
    private interface Example {
        void run(String[] args) throws Exception;
    }
}
