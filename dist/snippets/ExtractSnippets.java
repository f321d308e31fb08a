import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns the code of README.md and docs/*.md into programs: {@code java ExtractSnippets.java ROOT CLASSPATH JAVA_OUT SH_OUT}. Their frame,
 * {@code Snippet} and {@code SnippetRunner}, is copied along.
 *
 * <p>A code block runs if the line before it is a marker, which names the engines and what must be printed:
 *
 * <pre>{@code
 * <!-- runs: postgres memory http; prints: posted tea, posted rent -->
 * <!-- runs: server; prints: "acquired":true -->
 * }</pre>
 *
 * <p>A Java block becomes a class that {@code SnippetRunner} runs. The shell blocks of a page become one script, because later steps
 * need what earlier ones have set.
 */
final class ExtractSnippets {
    private static final Pattern BLOCK = Pattern.compile(
            "(?m)^<!-- runs: ([a-z ]+?)(?:; prints: (.+?))? -->\\R```(java|sh)\\R(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern MAIN = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+).*?static void main", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*\\R");
    private static final Pattern CONNECT = Pattern.compile("PostgresLeasehold\\.connect\\(dataSource\\)");

    private final Path javaOut;
    private final Path shOut;
    private final String imports;
    private final List<String> table = new ArrayList<>();

    private ExtractSnippets(Path javaOut, Path shOut, String imports) {
        this.javaOut = javaOut;
        this.shOut = shOut;
        this.imports = imports;
    }

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        ExtractSnippets extract = new ExtractSnippets(Path.of(args[2]), Path.of(args[3]), imports(args[1]));
        List<Path> pages;
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            pages = Stream.concat(
                            Stream.of(root.resolve("README.md")),
                            docs.filter(page -> page.toString().endsWith(".md")).sorted())
                    .collect(Collectors.toList());
        }
        for (Path page : pages) {
            extract.page(root, page);
        }
        extract.writeTable();
        for (String frame : List.of("Snippet.java", "SnippetRunner.java")) {
            Files.writeString(
                    extract.javaOut.resolve(frame), extract.imports + Files.readString(root.resolve("dist/snippets").resolve(frame)));
        }
    }

    /** Every package of the API, so that a snippet needs no imports of its own. */
    private static String imports(String classpath) throws IOException {
        TreeSet<String> packages = new TreeSet<>();
        for (String jar : classpath.split(":")) {
            if (jar.matches(".*/leasehold-(core|memory|postgres|client|jackson|micrometer)-[^/]*\\.jar")) {
                try (JarFile file = new JarFile(jar)) {
                    file.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.matches("dev/leasehold/.*\\.class") && !name.matches(".*/(internal|spi)/.*"))
                            .forEach(name -> packages.add(name.substring(0, name.lastIndexOf('/')).replace('/', '.')));
                }
            }
        }
        return packages.stream().map(each -> "import " + each + ".*;\n").collect(Collectors.joining())
                + Stream.of("java.sql.Connection", "java.sql.PreparedStatement", "java.time.Duration", "java.time.Instant",
                                "java.util.List", "java.util.Map", "java.util.Optional", "java.util.concurrent.CompletableFuture",
                                "java.util.concurrent.TimeUnit")
                        .map(each -> "import " + each + ";\n")
                        .collect(Collectors.joining());
    }

    private void page(Path root, Path page) throws IOException {
        String text = Files.readString(page);
        String name = root.relativize(page).toString();
        Matcher block = BLOCK.matcher(text);
        StringBuilder script = new StringBuilder();
        StringBuilder printed = new StringBuilder();
        while (block.find()) {
            long line = text.substring(0, block.start()).lines().count() + 1;
            String prints = block.group(2) == null ? "" : block.group(2);
            if (block.group(3).equals("sh")) {
                script.append("# ").append(name).append(':').append(line).append('\n').append(block.group(4));
                printed.append(prints.isEmpty() ? "" : prints.replace(", ", "\n") + "\n");
            } else {
                java(name + ":" + line, block.group(1), prints, block.group(4));
            }
        }
        if (script.length() > 0) {
            String file = name.replace('/', '_');
            Files.writeString(shOut.resolve(file + ".sh"), "set -euo pipefail\n" + script);
            Files.writeString(shOut.resolve(file + ".prints"), printed);
        }
    }

    private void java(String where, String engines, String prints, String text) throws IOException {
        String name = "Snippet" + (table.size() + 1);
        Matcher main = MAIN.matcher(text);
        boolean isProgram = main.find();
        if (isProgram) {
            Files.writeString(javaOut.resolve(main.group(1) + ".java"), text);
        }
        StringBuilder own = new StringBuilder();
        IMPORT.matcher(text).results().forEach(line -> own.append(line.group()));
        String code = isProgram
                ? main.group(1) + ".main(new String[] {jdbcUrl});\n"
                : CONNECT.matcher(IMPORT.matcher(text).replaceAll(""))
                        .replaceAll("SnippetRunner.opened(() -> PostgresLeasehold.connect(dataSource))");
        // a method of a class that inherits what a snippet takes for granted, so that it may declare variables of the same names
        Files.writeString(javaOut.resolve(name + ".java"), "// " + where + "\n" + imports + (isProgram ? "" : own)
                + "import dev.leasehold.queue.Queue;\n\npublic class " + name + " extends Snippet {\n    @Override\n"
                + "    void run() throws Exception {\n" + code + "    }\n}\n");
        table.add("new SnippetRunner.Entry(" + quoted(where) + ", " + quoted(engines) + ", " + quoted(prints) + ", " + name + "::new)");
    }

    private void writeTable() throws IOException {
        Files.writeString(javaOut.resolve("AllSnippets.java"), "import java.util.List;\n\nfinal class AllSnippets {\n"
                + "    static final List<SnippetRunner.Entry> ALL = List.of(\n            "
                + String.join(",\n            ", table) + ");\n}\n");
        System.out.println(table.size());
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
