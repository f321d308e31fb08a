package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A program of PostgreSQL that does something and ends. It sees no variable of ours, least of all a password. */
record Command(List<String> words) {
    private static final int MOST_OUTPUT = 2000;

    /**
     * What came of it.
     *
     * @param status its exit status; 127 if there is no such program
     */
    record Outcome(int status, String output) {
        boolean isSuccess() {
            return status == 0;
        }
    }

    static Command of(Identity identity, String... words) {
        List<String> all = new ArrayList<>(identity.prefix());
        all.addAll(List.of(words));
        return new Command(all);
    }

    /** Runs it; throws with its output if it fails. */
    void run(String what) {
        Outcome outcome = tryRun();
        if (!outcome.isSuccess()) {
            String advice = Trouble.isFull(outcome.output()) ? "; free some space (it needs about 150 MB)" : "";
            throw new EmbeddedException(
                    "could not " + what + ": " + outcome.output().strip() + advice);
        }
    }

    Outcome tryRun() {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("PATH", "HOME", "TMPDIR", "TZ"));
        environment.put("LC_ALL", "C");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), tail(output));
        } catch (IOException e) {
            return new Outcome(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("interrupted while " + words.get(0) + " was running", e);
        }
    }

    private static String tail(String output) {
        return output.length() <= MOST_OUTPUT ? output : output.substring(output.length() - MOST_OUTPUT);
    }
}
