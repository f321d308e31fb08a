package dev.leasehold.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sends signals to a process. Java itself can only ask it to end, and end it. */
public final class SignalSender {
    private static final Path OWN_STATE = Path.of("/proc/self/stat");

    private SignalSender() {}

    /** Passes on a signal that this process got. Not what was typed at the terminal: the command has got that from there. */
    public static void send(Signals.Kind signal, Process process) {
        if (signal == Signals.Kind.TERM) {
            process.destroy();
        } else if (signal != Signals.Kind.INT || !isInForeground()) {
            kill(signal, process);
        }
    }

    private static void kill(Signals.Kind signal, Process process) {
        try {
            new ProcessBuilder("kill", "-s", signal.name(), Long.toString(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Whether what is typed at the terminal goes to our process group, and so to the command too. Where nobody tells, no. */
    private static boolean isInForeground() {
        try {
            String state = Files.readString(OWN_STATE);
            List<String> fields =
                    List.of(state.substring(state.lastIndexOf(')') + 2).split(" ", -1));
            String group = fields.get(2);
            String foregroundGroup = fields.get(5);
            return group.equals(foregroundGroup);
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
