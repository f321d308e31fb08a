package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.internal.ErrorCategory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine reads out of the server's messages is the same in every language of a server. */
class QueueFailuresTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "invalid input syntax for type timestamp with time zone: \"expires first 7200.000000 3600\"",
                "ungültige Eingabesyntax für Typ timestamp with time zone: »expires first 7200.000000 3600«",
                "syntaxe en entrée invalide pour le type timestamp with time zone : « expires first 7200.000000 3600 »"
            })
    void an_item_that_expires_before_it_is_ready_is_recognized(String message) {
        assertThat(QueueFailures.INSTANCE.failure(ErrorCategory.INVALID_ARGUMENT, message, null))
                .hasMessageContaining("would be ready at 1970-01-01T02:00:00Z, but it expires at 1970-01-01T01:00:00Z");
    }
}
