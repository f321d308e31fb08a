package dev.leasehold.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.leasehold.server.http.ErrorMapper;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules between the modules that face the outside. Those of the library are checked beside its engine. */
class EndpointsArchitectureTest {
    private static JavaClasses all;

    @BeforeAll
    static void readClasses() {
        all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.leasehold");
        assertThat(all.contain("dev.leasehold.server.LeaseholdServer")).isTrue();
        assertThat(all.contain("dev.leasehold.client.HttpLocks")).isTrue();
        assertThat(all.contain("dev.leasehold.cli.Main")).isTrue();
    }

    private static void apart(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .check(all);
    }

    @Test
    void the_server_knows_no_engine_and_no_database() {
        apart(
                "dev.leasehold.server..",
                "dev.leasehold.postgres..",
                "dev.leasehold.memory..",
                "dev.leasehold.client..",
                "dev.leasehold.cli..",
                "java.sql..",
                "javax.sql..",
                "org.postgresql..");
    }

    @Test
    void the_client_knows_no_server_no_engine_and_no_database() {
        apart(
                "dev.leasehold.client..",
                "dev.leasehold.server..",
                "dev.leasehold.postgres..",
                "dev.leasehold.memory..",
                "dev.leasehold.cli..",
                "io.vertx..",
                "java.sql..",
                "javax.sql..");
    }

    @Test
    void the_server_the_client_and_the_command_line_use_no_internal_package() {
        for (String module : List.of("server", "client", "cli")) {
            apart("dev.leasehold." + module + "..", "dev.leasehold..internal..");
        }
    }

    @Test
    void the_http_apis_do_not_know_each_other() {
        apart("dev.leasehold.server.lock..", "dev.leasehold.server.queue..", "dev.leasehold.server.namespaced..");
        apart("dev.leasehold.server.namespaced..", "dev.leasehold.server.queue..", "dev.leasehold.server.lock..");
        apart("dev.leasehold.server.queue..", "dev.leasehold.server.lock..", "dev.leasehold.server.namespaced..");
    }

    @Test
    void each_http_api_has_one_class_that_maps_errors_to_statuses() {
        classes()
                .that()
                .areAssignableTo(ErrorMapper.class)
                .and()
                .areNotInterfaces()
                .should()
                .haveSimpleNameEndingWith("ErrorMapper")
                .check(all);
        assertThat(all.stream()
                        .filter(type -> type.isAssignableTo(ErrorMapper.class) && !type.isInterface())
                        .map(type -> type.getPackageName()))
                .doesNotHaveDuplicates();
    }
}
