package dev.leasehold.testkit.process;

import java.io.IOException;

/** Sends signals to processes that we have started. */
public final class Signals {
    private Signals() {}

    /** Stops the process where it is, until {@link #resume}. */
    public static void pause(long pid) {
        send("STOP", pid);
    }

    /** Continues a process that was stopped. */
    public static void resume(long pid) {
        send("CONT", pid);
    }

    /** Asks a JVM for a dump of its threads. */
    public static void quit(long pid) {
        send("QUIT", pid);
    }

    /** Ends the process at once: it gets no chance to do anything. */
    public static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Every shell has a kill of its own; a program of that name is not everywhere. */
    private static void send(String signal, long pid) {
        try {
            int status = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new HarnessException(
                        "could not send SIG" + signal + " to process " + pid + ", which may have ended");
            }
        } catch (IOException e) {
            throw new HarnessException("could not send SIG" + signal + " to process " + pid, e);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }
}
