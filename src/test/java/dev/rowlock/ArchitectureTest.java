package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.rowlock.support.HouseClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final JavaClasses OFFENCES =
            new ClassFileImporter().withImportOption(HouseClasses.TESTS).importPackages("dev.rowlock.offence");
    private static final Map<String, ArchRule> RULES = new HouseRules("dev.rowlock").all();
    private static final Map<String, ArchRule> RULES_FOR_OFFENCES = new HouseRules("dev.rowlock.offence").all();

    static Stream<String> names() {
        return RULES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void the_house_keeps_its_rules(String name) {
        assertThat(HouseClasses.ALL).isNotEmpty();
        EvaluationResult result = RULES.get(name).evaluate(HouseClasses.ALL);
        assertThat(result.getFailureReport().getDetails()).as(name).isEmpty();
    }

    /** Each rule was seen to fail, and still does: the offences lie in {@code dev.rowlock.offence}. */
    @ParameterizedTest
    @CsvSource({
        "order, definition.OpensOntoStore",
        "order, task.history.OpensOntoTask",
        "order, node.OpensOntoSession",
        "order, node.OpensOntoSchedule",
        "order, cli.output.OpensOntoClient",
        "order, elsewhere.StandsNowhere",
        "pure, definition.OpensOntoStore",
        "client, cli.client.OpensOntoNode",
        "failures, api.UsesDatabase",
        "migrations, report.Migrates",
        "main, node.OpensOntoMain",
        "sql, node.SpeaksSql",
        "javalin, node.SpeaksHttp",
        "http client, api.SendsHttp",
        "jetty, node.KnowsJetty",
        "metrics, node.Measures",
        "traces, node.Traces",
        "openid connect, node.SpeaksOidc",
        "cron-utils, node.ReadsCron",
        "picocli, node.ReadsArguments",
        "yaml, node.ReadsYaml",
        "processes, node.StartsProcess",
        "wall clock, node.ReadsClock.instant",
        "wall clock, node.ReadsClock.millis",
        "wall clock, node.ReadsClock.zoned",
        "wall clock, node.ReadsClock.system",
        "threads, node.StartsThread.thread",
        "threads, node.StartsThread.pool",
        "threads, node.StartsThread.async",
        "exit, node.Exits",
        "sleep, node.Sleeps",
        "environment, node.ReadsEnvironment",
        "java.util.Date, node.UsesDate",
    })
    void every_rule_sees_its_offence(String name, String offence) {
        EvaluationResult result = RULES_FOR_OFFENCES.get(name).evaluate(OFFENCES);

        assertThat(result.getFailureReport().getDetails())
                .as(name)
                .anySatisfy(detail -> assertThat(detail).contains("dev.rowlock.offence." + offence));
    }

    @ParameterizedTest
    @CsvSource({"cluster.store.SpeaksSql", "node.Loop", "node.InjectedClock"})
    void what_is_allowed_is_not_reported(String innocent) {
        List<String> details = RULES_FOR_OFFENCES.values().stream()
                .flatMap(rule -> rule.evaluate(OFFENCES).getFailureReport().getDetails().stream())
                .toList();

        assertThat(details).isNotEmpty().noneMatch(detail -> detail.contains("dev.rowlock.offence." + innocent + "."));
    }

    @Test
    void every_room_says_what_it_knows_and_checks_for_null() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/rowlock"))) {
            List<Path> rooms = files.filter(Files::isDirectory)
                    .filter(dir -> !dir.equals(Path.of("src/main/java/dev/rowlock")))
                    .toList();
            assertThat(rooms)
                    .isNotEmpty()
                    .allSatisfy(room -> assertThat(room.resolve("package-info.java"))
                            .content()
                            .contains("@NullMarked")
                            .startsWith("/**"));
        }
    }
}
