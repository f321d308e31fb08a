package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaMethodReference;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The walks of ARCHITECTURE.md, from an HTTP route to the SQL: they are short, and true. */
class WalkTest {
    private static final Pattern STEP = Pattern.compile("(?m)^\\d+\\. `(\\w+)\\.(\\w+)`");

    private static JavaClasses all;

    @BeforeAll
    static void readClasses() {
        all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.leasehold");
    }

    @ParameterizedTest
    @CsvSource({"The walk of a lock acquire, 20", "The walk of a queue lease, 30"})
    void a_walk_is_short_and_each_of_its_methods_calls_the_next(String heading, int most) throws IOException {
        List<MatchResult> steps = stepsBelow(heading);
        assertThat(steps).as(heading).hasSizeBetween(2, most);
        Set<JavaMethod> reached = methods(steps.get(0));
        for (MatchResult step : steps.subList(1, steps.size())) {
            Set<JavaMethod> callers = reached;
            reached = methods(step).stream()
                    .filter(method -> callers.stream().anyMatch(caller -> calls(caller, method)))
                    .collect(Collectors.toSet());
            assertThat(reached)
                    .as("%s: methods that are called by the one before %s", heading, step.group())
                    .isNotEmpty();
        }
        assertThat(reached)
                .as("%s: it ends with the method that sends the SQL", heading)
                .anyMatch(WalkTest::executes);
    }

    @Test
    void a_method_that_does_not_call_the_next_one_is_found() {
        JavaMethod acquire =
                methodsNamed("PostgresLockStore", "acquire").iterator().next();
        JavaMethod send = methodsNamed("PostgresLockStore", "send").stream()
                .filter(method -> method.getRawParameterTypes().size() == 4)
                .findAny()
                .orElseThrow();
        JavaMethod execute = methodsNamed("Rows", "of").iterator().next();
        assertThat(calls(acquire, send)).isTrue();
        assertThat(calls(acquire, execute)).isFalse();
        assertThat(executes(execute)).isTrue();
    }

    private static List<MatchResult> stepsBelow(String heading) throws IOException {
        String text = Files.readString(root().resolve("ARCHITECTURE.md"));
        int begin = text.indexOf("### " + heading + "\n");
        assertThat(begin).as(heading).isNotNegative();
        int end = text.indexOf("\n#", begin + heading.length());
        return STEP.matcher(text.substring(begin, end)).results().toList();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return Objects.requireNonNull(folder, "the folder of the project");
    }

    private static Set<JavaMethod> methods(MatchResult step) {
        return methodsNamed(step.group(1), step.group(2));
    }

    private static Set<JavaMethod> methodsNamed(String type, String name) {
        Set<JavaMethod> methods = all.stream()
                .filter(candidate -> candidate.getSimpleName().equals(type))
                .flatMap(candidate -> candidate.getMethods().stream())
                .filter(method -> method.getName().equals(name))
                .collect(Collectors.toSet());
        assertThat(methods).as("%s.%s", type, name).isNotEmpty();
        return methods;
    }

    /** Directly, in a lambda, or through an interface or a superclass. Overloads are different methods. */
    private static boolean calls(JavaMethod caller, JavaMethod called) {
        return targets(caller)
                .anyMatch(target -> target.getName().equals(called.getName())
                        && parameters(target.getRawParameterTypes()).equals(parameters(called.getRawParameterTypes()))
                        && called.getOwner().isAssignableTo(target.getOwner().getName()));
    }

    private static boolean executes(JavaMethod method) {
        return targets(method)
                .anyMatch(target -> target.getName().startsWith("execute")
                        && target.getOwner().getPackageName().equals("java.sql"));
    }

    private static Stream<CodeUnitAccessTarget> targets(JavaMethod method) {
        return Stream.concat(
                method.getMethodCallsFromSelf().stream().map(JavaMethodCall::getTarget),
                method.getMethodReferencesFromSelf().stream().map(JavaMethodReference::getTarget));
    }

    private static List<String> parameters(List<JavaClass> types) {
        return types.stream().map(JavaClass::getName).toList();
    }
}
