package dev.leasehold.postgres;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows between the modules, and the rules of ARCHITECTURE.md that a machine can check. */
class ArchitectureTest {
    private static final String[] CORE = {
        "dev.leasehold",
        "dev.leasehold.spi..",
        "dev.leasehold.lock..",
        "dev.leasehold.queue..",
        "dev.leasehold.syncguard.."
    };
    private static final String[] ENGINES = {"dev.leasehold.postgres..", "dev.leasehold.memory.."};
    private static final String[] JDBC = {"java.sql..", "javax.sql..", "org.postgresql.."};

    /** The modules whose sources make the product; the others are for tests and for reading. */
    private static final List<String> PRODUCT = List.of("core", "memory", "postgres");

    /** Statements that are no transitions, so they have no file: what sets up a connection. */
    private static final Map<String, Set<String>> SQL_IN_JAVA = Map.of(
            "PostgresItemStore.java", Set.of("delete"), // the names of files
            "PostgresQueueRecords.java", Set.of("create", "update"),
            "Lane.java", Set.of("select ", "rollback"),
            "BorrowedConnection.java", Set.of("rollback"),
            "Pooler.java", Set.of("select pg_backend_pid()"),
            "Sql.java", Set.of("select", "begin", "begin isolation level read committed;\\n"),
            "Listener.java", Set.of("listen \\\"", "unlisten \\\""));

    private static final Pattern SQL = Pattern.compile(
            "\\s*(select|insert|update|delete|merge|truncate|create|alter|drop|listen|unlisten|notify|begin|commit|rollback)(?:[\\s;].*)?",
            Pattern.DOTALL);
    private static final Pattern TOKEN = Pattern.compile(
            "/\\*.*?\\*/|//[^\\n]*|'(?:\\\\.|[^'\\\\])*'"
                    + "|\"\"\"(?<block>.*?)\"\"\"|\"(?<text>(?:\\\\.|[^\"\\\\\\n])*)\"",
            Pattern.DOTALL);
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "(?m)^ *public (?:(?:static|final|abstract|sealed|non-sealed) )*(?:class|interface|record|enum|@interface) (\\w+)");
    private static final Pattern DOCUMENTED = Pattern.compile(
            "/\\*\\*(?:(?!\\*/).)*\\*/\\s*(?:@\\w+(?:\\((?:(?!\\npublic |/\\*\\*).)*?\\))?\\s*(?://[^\\n]*\\s*)?)*",
            Pattern.DOTALL);

    private static JavaClasses all;

    @BeforeAll
    static void readClasses() {
        all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.leasehold");
        assertThat(all.contain("dev.leasehold.lock.Locks")).isTrue();
        assertThat(all.contain("dev.leasehold.memory.MemoryLocks")).isTrue();
        assertThat(all.contain("dev.leasehold.postgres.lock.PostgresLocks")).isTrue();
    }

    @Test
    void core_knows_only_the_jdk_slf4j_and_jspecify() {
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(CORE, "java..", "org.slf4j..", "org.jspecify.."))
                .check(all);
    }

    @Test
    void of_the_product_only_postgres_knows_more_of_jdbc_than_a_connection() {
        noClasses()
                .that()
                .resideInAnyPackage(with(CORE, "dev.leasehold.memory.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(JDBC)
                        .and(not(belongToAnyOf(Connection.class, SQLException.class)))
                        .as("JDBC, apart from Connection and SQLException"))
                .check(all);
    }

    @Test
    void engines_do_not_know_each_other_nor_the_testkit() {
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.postgres..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.leasehold.memory..", "dev.leasehold.testkit..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.memory..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.leasehold.postgres..", "dev.leasehold.testkit..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ENGINES)
                .check(all);
    }

    @Test
    void internal_packages_are_used_by_core_and_the_engines_alone() {
        classes()
                .that()
                .resideInAnyPackage("dev.leasehold.lock.internal..", "dev.leasehold.queue.internal..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(with(CORE, ENGINES))
                .check(all);
    }

    @Test
    void packages_of_locks_have_no_cycles() {
        assertNoCycles("dev.leasehold.lock");
        assertNoCycles("dev.leasehold.postgres");
    }

    /** The API of locks is one slice: {@code Locks} leads to what is rarer, in packages of its own. */
    static void assertNoCycles(String root) {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        String name = type.getPackageName().replaceFirst("\\.(admin|direct)$", "");
                        return name.equals(root) || name.startsWith(root + ".")
                                ? SliceIdentifier.of(name)
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "packages of " + root;
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(all);
    }

    @Test
    void locks_and_queues_do_not_know_each_other() {
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.lock..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.queue..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.queue..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.lock..")
                .allowEmptyShould(true)
                .check(all);
    }

    @Test
    void sql_is_in_sql_files() {
        List<String> found = new ArrayList<>();
        sources()
                .forEach(file -> statementsIn(read(file)).stream()
                        .filter(text ->
                                !SQL_IN_JAVA.getOrDefault(name(file), Set.of()).contains(text))
                        .forEach(text -> found.add(name(file) + ": " + text)));
        assertThat(found).as("statements in Java sources").isEmpty();
    }

    @Test
    void statements_are_found_in_literals_and_nowhere_else() {
        assertThat(statementsIn(
                        "a = \"select 1\"; b = \"selected\"; // \"delete\"\n c = '\"'; d = \"\"\"\n  update x\"\"\";"))
                .containsExactly("select 1", "\n  update x");
    }

    @Test
    void every_sql_file_begins_with_its_name_and_its_contract() {
        Path folder = root().resolve("postgres/src/main/resources/dev/leasehold/postgres");
        List<String> wrong = files(folder, ".sql")
                .filter(file -> !folder.relativize(file).startsWith("migrations")) // begin as Liquibase wants it
                .filter(file -> !read(file).startsWith("-- " + statementName(folder, file) + ": "))
                .map(ArchitectureTest::name)
                .toList();
        assertThat(wrong).as(".sql files that do not begin with their name").isEmpty();
    }

    @Test
    void every_public_type_says_what_it_is() {
        Stream<Path> others = Stream.of("testkit", "server", "client", "cli", "chaos")
                .flatMap(module -> files(root().resolve(module + "/src/main/java"), ".java"));
        List<String> silent = Stream.concat(sources(), others)
                .flatMap(file -> undocumented(read(file)).stream().map(type -> name(file) + ": " + type))
                .toList();
        assertThat(silent).as("public types without Javadoc").isEmpty();
    }

    @Test
    void types_without_javadoc_are_found() {
        assertThat(undocumented("/** It. */\n@Deprecated\npublic class A {\n  // no\n  public record B() {}\n}\n"))
                .containsExactly("B");
    }

    /** The folder of the whole project, from wherever the test was started. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("core/src/main"))) {
            folder = folder.getParent();
        }
        assertThat(folder).as("the folder of the project").isNotNull();
        return folder;
    }

    /** The files below a folder whose names end so. */
    static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(file -> file.toString().endsWith(ending)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The source files of this name in all modules. */
    static Stream<Path> sourcesNamed(String type) {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList().stream()
                    .flatMap(sources -> files(sources, "/" + type + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> sources() {
        return PRODUCT.stream().flatMap(module -> files(root().resolve(module + "/src/main/java"), ".java"));
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static String statementName(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/').replace(".sql", "");
    }

    private static List<String> statementsIn(String source) {
        List<String> statements = new ArrayList<>();
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            String text = token.group("block") != null ? token.group("block") : token.group("text");
            if (text != null && SQL.matcher(text.toLowerCase(Locale.ROOT)).matches()) {
                statements.add(text);
            }
        }
        return statements;
    }

    private static List<String> undocumented(String source) {
        List<String> types = new ArrayList<>();
        Matcher type = PUBLIC_TYPE.matcher(source);
        while (type.find()) {
            String before = source.substring(Math.max(0, source.lastIndexOf("/**", type.start())), type.start());
            if (!DOCUMENTED.matcher(before).matches()) {
                types.add(type.group(1));
            }
        }
        return types;
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }
}
