package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.leasehold.lock.Locks;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What users see: how much it is, that all of it is documented, and that its names are the common words. */
class ApiSurfaceTest {
    private static final int MOST_TYPES = 40;
    private static final int MOST_METHODS_OF_LOCKS = 12;

    /** Modules that are published as libraries. */
    private static final List<String> LIBRARIES = List.of("core", "memory", "postgres", "client", "jackson", "testkit");

    /** Names that were replaced by terms of art. They do not come back, in no source and no statement. */
    private static final List<String> REPLACED_NAMES = List.of(
            "isTooHasty",
            "patiently_by_id",
            "release_carefully",
            "acquire_again",
            "acquire_dead",
            "AcquireKind",
            "Hearers",
            "Pens",
            "Foreign",
            "Post",
            "Unanswered",
            "isToGiveBack",
            "isUsersId",
            "QueueDoor",
            "LockDoor");

    @Test
    void locks_and_queues_have_few_public_types() {
        Set<String> types = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.leasehold.lock", "dev.leasehold.queue")
                        .stream()
                        .filter(type -> Set.of("dev.leasehold.lock", "dev.leasehold.queue")
                                .contains(type.getPackageName()))
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(types).contains("Locks", "Queues").hasSizeLessThanOrEqualTo(MOST_TYPES);
    }

    @Test
    void locks_have_few_methods() {
        Set<String> names =
                Arrays.stream(Locks.class.getMethods()).map(Method::getName).collect(Collectors.toSet());
        assertThat(names).contains("acquire").hasSizeLessThanOrEqualTo(MOST_METHODS_OF_LOCKS);
    }

    @Test
    void every_public_method_has_javadoc() throws IOException {
        List<Path> sources = LIBRARIES.stream()
                .flatMap(module ->
                        ArchitectureTest.files(ArchitectureTest.root().resolve(module + "/src/main/java"), ".java"))
                .filter(file -> !file.toString().contains("/internal/"))
                .toList();
        assertThat(silent(sources.stream().map(Source::of).toList()))
                .as("public types and methods without Javadoc")
                .isEmpty();
    }

    @Test
    void methods_without_javadoc_are_found() throws IOException {
        Source source = new Source("A.java", """
                /** It. */
                public interface A {
                    void silent();
                    /** Said. */
                    void said();
                    record B(int x) { public int twice() { return 2 * x; } @Override public String toString() { return ""; } }
                    private void hidden() {}
                }
                class C { public void notPublic() {} }
                """);
        assertThat(silent(List.of(source))).containsExactly("A.java: silent", "A.java: B", "A.java: twice");
    }

    @Test
    void names_that_were_replaced_do_not_come_back() {
        Pattern names = Pattern.compile("\\b(" + String.join("|", REPLACED_NAMES) + ")\\b");
        List<String> found = Stream.of("main", "test")
                .flatMap(tree -> Stream.concat(
                                LIBRARIES.stream(), Stream.of("server", "cli", "chaos", "bench", "examples"))
                        .map(module -> ArchitectureTest.root().resolve(module + "/src/" + tree)))
                .filter(folder -> folder.toFile().isDirectory())
                .flatMap(folder -> Stream.of(".java", ".sql").flatMap(kind -> ArchitectureTest.files(folder, kind)))
                .filter(file -> !file.endsWith("ApiSurfaceTest.java"))
                .flatMap(file -> found(names, file))
                .toList();
        assertThat(found).as("names that were replaced").isEmpty();
    }

    private static Stream<String> found(Pattern names, Path file) {
        Matcher name = names.matcher(file.getFileName() + "\n" + ArchitectureTest.read(file));
        return name.results()
                .map(match -> file.getFileName() + ": " + match.group())
                .distinct();
    }

    private static List<String> silent(List<Source> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
        DocTrees docs = DocTrees.instance(task);
        List<String> silent = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new Undocumented(docs, silent).scan(new TreePath(unit), null);
        }
        return silent;
    }

    /** A source file, read before it is parsed. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        static Source of(Path file) {
            return new Source(file.getFileName().toString(), ArchitectureTest.read(file));
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Notes what users can see and nobody has described. Overriding methods, accessors and constants inherit their description. */
    private static final class Undocumented extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final List<String> silent;

        Undocumented(DocTrees docs, List<String> silent) {
            this.docs = docs;
            this.silent = silent;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isPublic(type.getModifiers().getFlags())) {
                return null;
            }
            check(type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            boolean isConstructor = method.getReturnType() == null;
            boolean isCompact =
                    isConstructor && parent() instanceof ClassTree type && type.getKind() == Tree.Kind.RECORD;
            if (isPublic(method.getModifiers().getFlags()) && !overrides && !isCompact) {
                check(isConstructor ? "constructor" : method.getName().toString());
            }
            return null;
        }

        private void check(String name) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment == null) {
                silent.add(Path.of(getCurrentPath()
                                        .getCompilationUnit()
                                        .getSourceFile()
                                        .getName())
                                .getFileName() + ": " + name);
            }
        }

        /** Members of interfaces are public unless they say otherwise. */
        private boolean isPublic(Set<Modifier> modifiers) {
            boolean isInInterface = parent() instanceof ClassTree type
                    && (type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE);
            return modifiers.contains(Modifier.PUBLIC) || (isInInterface && !modifiers.contains(Modifier.PRIVATE));
        }

        private Tree parent() {
            return getCurrentPath().getParentPath().getLeaf();
        }
    }
}
