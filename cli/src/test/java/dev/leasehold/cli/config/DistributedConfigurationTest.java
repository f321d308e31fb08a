package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files with settings that the distribution brings along. */
class DistributedConfigurationTest {
    private static final Path DIST = Path.of("..", "dist", "src");
    private static final Path FILE = DIST.resolve("conf/leasehold.yaml");

    /** A setting that is commented out: no space after the '#', or the two of an indentation. Prose has one. */
    private static final Pattern COMMENTED = Pattern.compile("(?m)^#(?! \\S|$)");

    /** An empty list is a setting of its own, which cannot be there beside a list that is not empty. */
    private static final String EMPTY_GRANTS = "jwt.grants";

    @TempDir
    Path directory;

    private static List<ConfigValue> uncommented() throws IOException {
        String text = COMMENTED.matcher(Files.readString(FILE)).replaceAll("");
        return YamlFile.read(FILE, text);
    }

    @Test
    void it_contains_every_setting_and_no_other() throws IOException {
        assertThat(uncommented().stream()
                        .map(value -> Setting.pattern(value.key()))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(KnownSettings.ALL.stream()
                        .map(Setting::key)
                        .filter(key -> !key.equals(EMPTY_GRANTS))
                        .toList());
        assertThat(Files.readString(FILE)).contains("\"grants: []\"");
    }

    @Test
    void it_shows_the_defaults() throws IOException {
        for (ConfigValue value : uncommented()) {
            String fallback = KnownSettings.find(value.key()).orElseThrow().fallback();
            assertThat(value.text()).as(value.key()).isEqualTo(fallback == null ? value.text() : fallback);
        }
    }

    @Test
    void as_it_is_it_sets_nothing() {
        assertThat(ConfigFile.read(FILE)).isEmpty();
    }

    @Test
    void the_configuration_in_the_kubernetes_manifest_is_accepted() throws IOException {
        String manifest = Files.readString(DIST.resolve("kubernetes/leasehold.yaml"));
        String text = manifest.split("leasehold.yaml: \\|\n", 2)[1].split("\n---", 2)[0].stripIndent();
        Config config = new ConfigLoader(Map.of("PGPASSWORD", "secret"))
                .file(Files.writeString(directory.resolve("leasehold.yaml"), text))
                .load();
        assertThat(manifest)
                .contains("containerPort: " + config.address().port())
                .contains("containerPort: " + config.managementPort());
        assertThat(config.storage().kind()).isEqualTo(Storage.Kind.POSTGRES);
    }
}
