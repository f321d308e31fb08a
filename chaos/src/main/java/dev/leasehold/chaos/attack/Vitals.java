package dev.leasehold.chaos.attack;

import dev.leasehold.testkit.process.HarnessException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a server process uses at one moment.
 *
 * @param heap the bytes of the heap that are in use after a collection
 * @param resident the bytes of memory that the whole process has
 * @param files open file descriptors
 * @param threads how many threads there are
 * @param engineThreads the names of Leasehold's own threads, without their numbers: pools may replace an idle thread by another
 */
record Vitals(long heap, long resident, long files, int threads, Set<String> engineThreads) {
    private static final Pattern THREAD = Pattern.compile("(?m)^\"(leasehold-[^\"]+)\"");
    private static final Pattern HEAP = Pattern.compile(
            "(?m)^ *(?:garbage-first heap|def new generation|tenured generation|PSYoungGen|ParOldGen).*used (\\d+)K");
    private static final Pattern STATUS = Pattern.compile("(?m)^(VmRSS|Threads):\\s+(\\d+)");

    /** Reads those of a process of this user; makes it collect its garbage before. */
    static Vitals of(long pid) {
        String status = read(Path.of("/proc", Long.toString(pid), "status"));
        return new Vitals(
                heap(pid),
                number(status, "VmRSS") << 10,
                files(pid),
                (int) number(status, "Threads"),
                engineThreads(pid));
    }

    /** Only how many files it has open: cheap enough to ask often. */
    static long files(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new HarnessException("could not count the files of process " + pid, e);
        }
    }

    private static long heap(long pid) {
        jcmd(pid, "GC.run");
        return HEAP.matcher(jcmd(pid, "GC.heap_info"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)) << 10)
                .sum();
    }

    private static Set<String> engineThreads(long pid) {
        return THREAD.matcher(jcmd(pid, "Thread.print"))
                .results()
                .map(found -> found.group(1).replaceFirst("-\\d+$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long number(String status, String name) {
        return STATUS.matcher(status)
                .results()
                .filter(found -> found.group(1).equals(name))
                .mapToLong(found -> Long.parseLong(found.group(2)))
                .sum();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new HarnessException("could not read " + file, e);
        }
    }

    private static String jcmd(long pid, String command) {
        Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process process = new ProcessBuilder(program.toString(), Long.toString(pid), command)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new HarnessException("jcmd " + command + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new HarnessException("could not start " + program, e);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }
}
