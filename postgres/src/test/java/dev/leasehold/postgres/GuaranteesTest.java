package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every guarantee of docs/guarantees.md has a test that each build runs. */
class GuaranteesTest {
    private static final Path ROOT = ArchitectureTest.root();
    private static final Pattern GUARANTEE = Pattern.compile("(?m)^\\| (G\\d+) \\| .* \\| (.*) \\|$");
    private static final Pattern TEST = Pattern.compile("`(\\w+)(?:\\.\\w+)?`");
    private static final Pattern LONG_CLASS = Pattern.compile("(?m)^@Tag\\(\"long\"\\)");

    @Test
    void none_rests_on_tests_of_the_long_tier_alone() {
        Map<String, Boolean> byGuarantee = new TreeMap<>();
        GUARANTEE
                .matcher(ArchitectureTest.read(ROOT.resolve("docs/guarantees.md")))
                .results()
                .forEach(row -> byGuarantee.put(row.group(1), tests(row).anyMatch(GuaranteesTest::isInEveryBuild)));
        assertThat(byGuarantee).hasSizeGreaterThan(70);
        List<String> withoutTest = byGuarantee.entrySet().stream()
                .filter(guarantee -> !guarantee.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
        assertThat(withoutTest).isEmpty();
    }

    private static Stream<String> tests(MatchResult row) {
        return TEST.matcher(row.group(2)).results().map(test -> test.group(1));
    }

    private static boolean isInEveryBuild(String test) {
        return ArchitectureTest.sourcesNamed(test)
                .anyMatch(
                        file -> !LONG_CLASS.matcher(ArchitectureTest.read(file)).find());
    }
}
