package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationDocumentTest {
    @Test
    void every_setting_and_every_variable_is_in_the_document() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "configuration.md"));
        for (Setting setting : KnownSettings.ALL) {
            assertThat(document.contains("`" + setting.key() + "`"))
                    .as(setting.key())
                    .isTrue();
            if (setting.key().startsWith("locker.") || setting.variables().size() > 1) {
                assertThat(setting.variables()).allMatch(document::contains);
            }
            if (setting.fallback() != null) {
                assertThat(document.contains("`" + setting.fallback() + "`"))
                        .as(setting.key())
                        .isTrue();
            }
        }
    }
}
