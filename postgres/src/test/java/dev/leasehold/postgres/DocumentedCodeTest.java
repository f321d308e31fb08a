package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the documents show is true: Java compiles, links lead somewhere, commands and the schema are the real ones. */
class DocumentedCodeTest {
    private static final Path ROOT = ArchitectureTest.root();
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("(?m)^```java\\R(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern JAVA_START = Pattern.compile("(?m)^(.*)\\R```java$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final Pattern TEST_NAME = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.(\\w+))?`");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

    /** Not records: a block may declare one beside its statements. */
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:(?:public|final|abstract|sealed) )*(?:class|interface|enum) (\\w+)");

    private static final Pattern IMPORTS = Pattern.compile("(?m)^import .*\\R");

    /** What a block of statements may take for granted. Fields, so that a block may declare its own. Queue is ours, not Java's. */
    private static final String FRAME = """
            import dev.leasehold.*;
            import dev.leasehold.jackson.*;
            import dev.leasehold.lock.*;
            import dev.leasehold.lock.admin.*;
            import dev.leasehold.lock.direct.*;
            import dev.leasehold.lock.spi.*;
            import dev.leasehold.memory.*;
            import dev.leasehold.postgres.*;
            import dev.leasehold.postgres.lock.*;
            import dev.leasehold.postgres.queue.*;
            import dev.leasehold.queue.*;
            import dev.leasehold.queue.admin.*;
            import dev.leasehold.queue.item.*;
            import dev.leasehold.queue.Queue;
            import dev.leasehold.syncguard.*;
            import dev.leasehold.testkit.*;
            import java.sql.Connection;
            import java.sql.SQLException;
            import java.time.Duration;
            import java.time.Instant;
            import java.util.List;
            import java.util.Optional;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.TimeUnit;
            import javax.sql.DataSource;
            %s
            abstract class Block {
                DataSource dataSource, direct;
                Connection connection;
                PostgresLocks locks;
                Leasehold leasehold;
                HeldLock lock;
                PostgresQueues queues;
                PostgresQueue queue, orders, receipts;
                Queue<String> letters;
                LeasedBatch batch;
                String lockId, entry;
                Ledger ledger;

                interface Ledger {
                    void post(Connection connection, String entry);
                }

                abstract void stopWorking();

                abstract void step(int number);

                void block() throws Exception {
            %s
                }
            }
            """;

    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> every_java_block_compiles() {
        List<Block> blocks = documents()
                .filter(file -> !file.endsWith("client.md")) // the client's own tests look at that
                .flatMap(file -> blocks(file).stream())
                .toList();
        assertThat(blocks).as("Java blocks in the documents").hasSizeGreaterThan(5);
        return blocks.stream()
                .map(block -> DynamicTest.dynamicTest(
                        block.name(), () -> assertThat(complaints(block)).isEmpty()));
    }

    @Test
    void a_block_that_does_not_compile_is_told_with_its_file_number_and_line() throws IOException {
        Block wrong = new Block("README.md, java block 1", "int one = 1;\nint two = lock.fence();\n");
        assertThat(complaints(wrong)).singleElement().asString().startsWith("README.md, java block 1, line 2: ");
    }

    @Test
    void a_class_is_compiled_as_it_is() throws IOException {
        String text = "package p;\n\nimport java.util.List;\n\npublic final class C {\n    List<String> all;\n}\n";
        assertThat(complaints(new Block("one", text))).isEmpty();
        assertThat(complaints(new Block("two", text.replace("import java.util.List;", ""))))
                .isNotEmpty();
    }

    @Test
    void the_schema_files_are_the_schemas_that_are_created() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/lock-schema.sql")))
                .isEqualTo(LockSchema.sql(LockTables.DEFAULT));
        assertThat(Files.readString(ROOT.resolve("docs/lock-view.sql")))
                .isEqualTo(LockSchema.viewSql(LockTables.DEFAULT, "locks"));
        assertThat(Files.readString(ROOT.resolve("docs/queue-schema.sql")))
                .isEqualTo(QueueSchema.sql(QueueTables.DEFAULT));
    }

    @Test
    void the_test_command_of_the_readme_is_the_one_that_must_pass() {
        String first = ArchitectureTest.read(ROOT.resolve(".ci/run"))
                .lines()
                .filter(line -> line.startsWith("mvn "))
                .findFirst()
                .orElseThrow();
        assertThat(ArchitectureTest.read(ROOT.resolve("README.md")).lines()).contains(first);
    }

    /** dist/check runs them with released artifacts; a block without the marker would not be run. */
    @Test
    void every_java_block_of_an_introduction_says_which_engines_it_runs_on() {
        List<String> unmarked = new ArrayList<>();
        documents()
                .filter(file -> nameOf(file).matches("README.md|docs/(getting-started|coming-from|recipes).*"))
                .forEach(file -> JAVA_START
                        .matcher(ArchitectureTest.read(file))
                        .results()
                        .filter(before -> !before.group(1).startsWith("<!-- runs: "))
                        .forEach(before -> unmarked.add(nameOf(file) + ": " + before.group())));
        assertThat(unmarked)
                .as("Java blocks without a marker <!-- runs: ... -->")
                .isEmpty();
    }

    @Test
    void every_link_leads_to_a_file() {
        List<String> broken = new ArrayList<>();
        documents()
                .forEach(file -> LINK.matcher(ArchitectureTest.read(file))
                        .results()
                        .filter(link -> !Files.exists(file.resolveSibling(link.group(1))))
                        .forEach(link -> broken.add(nameOf(file) + ": " + link.group(1))));
        assertThat(broken).as("links to nowhere").isEmpty();
    }

    @Test
    void every_test_that_is_named_exists() {
        List<String> missing = new ArrayList<>();
        documents()
                .forEach(file -> TEST_NAME
                        .matcher(ArchitectureTest.read(file))
                        .results()
                        .filter(name -> !exists(name.group(1), name.group(2)))
                        .forEach(name -> missing.add(nameOf(file) + ": " + name.group())));
        assertThat(missing).as("tests that do not exist").isEmpty();
    }

    private static boolean exists(String type, String method) {
        return ArchitectureTest.sourcesNamed(type)
                .anyMatch(file -> method == null || ArchitectureTest.read(file).contains("void " + method + "("));
    }

    private static Stream<Path> documents() {
        return Stream.concat(
                Stream.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
                        .map(ROOT::resolve),
                ArchitectureTest.files(ROOT.resolve("docs"), ".md"));
    }

    private static String nameOf(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    private static List<Block> blocks(Path file) {
        List<Block> blocks = new ArrayList<>();
        Matcher block = JAVA_BLOCK.matcher(ArchitectureTest.read(file));
        while (block.find()) {
            blocks.add(new Block(nameOf(file) + ", java block " + (blocks.size() + 1), block.group(1)));
        }
        return blocks;
    }

    /** What the compiler has to say against a block. */
    private List<String> complaints(Block block) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> options =
                List.of("--release", "17", "-proc:none", "-Xlint:none", "-encoding", "UTF-8", "-d", classes.toString());
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            compiler.getTask(null, files, diagnostics, options, null, List.of(block.source()))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .map(d -> block.name() + ", line " + (d.getLineNumber() - block.linesBefore()) + ": "
                        + d.getMessage(Locale.ROOT))
                .toList();
    }

    /** The text between two fences: a class as it is, or statements that need a frame. */
    private record Block(String name, String text) {
        private boolean isWhole() {
            return TYPE.matcher(text).find();
        }

        private String imports() {
            StringBuilder imports = new StringBuilder();
            IMPORTS.matcher(text).results().forEach(line -> imports.append(line.group()));
            return imports.toString();
        }

        private String code() {
            return isWhole()
                    ? text
                    : FRAME.formatted(imports(), IMPORTS.matcher(text).replaceAll("\n"));
        }

        long linesBefore() {
            return isWhole()
                    ? 0
                    : FRAME.formatted(imports(), "\0").split("\0", 2)[0].lines().count();
        }

        JavaFileObject source() {
            String code = code();
            Matcher type = TYPE.matcher(text);
            Matcher folder = PACKAGE.matcher(code);
            String path = (folder.find() ? folder.group(1).replace('.', '/') + "/" : "")
                    + (type.find() ? type.group(1) : "Block");
            URI uri = URI.create("string:///" + path + JavaFileObject.Kind.SOURCE.extension);
            return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return code;
                }
            };
        }
    }
}
