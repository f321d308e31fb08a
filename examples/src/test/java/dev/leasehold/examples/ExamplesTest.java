package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every example runs, ends by itself and tells what it promises to tell. */
@Timeout(60)
class ExamplesTest {
    @Test
    void quick_start() throws Exception {
        assertThat(told(QuickStart::main))
                .contains("Node B tries to acquire it: refused.")
                .contains("node B holds it with fence 000000000000002.")
                .contains("under the guard of fence 000000000000003.")
                .contains("so node B acquires it with fence 000000000000005.")
                .contains("lock 'ledger:7' was lost: fence 4 ")
                .endsWith("Done.");
    }

    @Test
    void waiting() throws Exception {
        assertThat(told(Waiting::main))
                .contains("Not at all: refused.")
                .contains("For a while: AcquisitionTimeout: Failed to acquire lock after ")
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

    /** What an example prints. */
    private static String told(Example example) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setOut(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            example.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return told.toString(StandardCharsets.UTF_8).strip();
    }

    @FunctionalInterface
    private interface Example {
        void main(String[] args) throws Exception;
    }
}
