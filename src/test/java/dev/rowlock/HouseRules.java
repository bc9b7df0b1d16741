package dev.rowlock;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;

/** The house as rules: which room may open onto which, and which line lives where. The base package is an argument, so that offences can be kept as tests. */
record HouseRules(String base) {

    private static final String[] ROOMS = {
        "schedule", "cluster", "job", "exec", "store", "control", "engine", "api", "ui", "cli", "config"
    };

    private static final Set<Class<?>> CLOCKS = Set.of(
            Instant.class,
            LocalDate.class,
            LocalDateTime.class,
            LocalTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class);

    /** All rules by a short name. */
    Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        rules.put("layers", layers());
        rules.put("cycles", slices().matching(base + ".(*)..").should().beFreeOfCycles());
        rules.put("main", noClasses().that(not(isMain())).should().dependOnClassesThat(isMain()));
        rules.put(
                "sql",
                onlyIn(
                        "store",
                        "org.jdbi..",
                        "java.sql..",
                        "javax.sql..",
                        "com.zaxxer..",
                        "org.flywaydb..",
                        "com.mysql.."));
        rules.put("values", onlyValuesOfTheStore());
        rules.put("javalin", onlyIn("api", "io.javalin..", "jakarta.servlet..", "org.eclipse.jetty.."));
        rules.put("cron-utils", onlyIn("schedule", "com.cronutils.."));
        rules.put("picocli", onlyIn("cli", "picocli.."));
        rules.put("yaml", onlyIn("config", "com.fasterxml.jackson.dataformat.yaml.."));
        rules.put("processes", processes());
        rules.put("wall clock", wallClock());
        rules.put("threads", threads());
        rules.put("exit", exit());
        rules.put("sleep", noClasses().should().callMethodWhere(calls(Thread.class, "sleep")));
        rules.put(
                "environment",
                noClasses()
                        .that(outside("config"))
                        .and(not(isMain()))
                        .should()
                        .callMethodWhere(calls(System.class, "getenv")));
        rules.put("java.util.Date", noClasses().should().dependOnClassesThat(equivalentTo(Date.class)));
        rules.replaceAll((name, rule) -> rule.allowEmptyShould(true));
        return rules;
    }

    private ArchRule layers() {
        var house = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(base + "..")
                .withOptionalLayers(true);
        for (String room : ROOMS) {
            house = house.layer(room).definedBy(base + "." + room + "..");
        }
        house = house.layer("Main").definedBy(base);
        return house.whereLayer("schedule")
                .mayNotAccessAnyLayer()
                .whereLayer("cluster")
                .mayNotAccessAnyLayer()
                .whereLayer("config")
                .mayNotAccessAnyLayer()
                .whereLayer("job")
                .mayOnlyAccessLayers("schedule")
                .whereLayer("exec")
                .mayOnlyAccessLayers("job")
                .whereLayer("store")
                .mayOnlyAccessLayers("job", "cluster", "schedule")
                .whereLayer("control")
                .mayOnlyAccessLayers("store", "job", "cluster", "schedule")
                .whereLayer("engine")
                .mayOnlyAccessLayers("store", "exec", "job", "cluster", "schedule")
                .whereLayer("api")
                .mayOnlyAccessLayers("control", "store", "job", "cluster", "schedule")
                .whereLayer("ui")
                .mayOnlyAccessLayers("control", "job", "cluster", "schedule")
                .whereLayer("cli")
                .mayOnlyAccessLayers("control", "job", "cluster", "schedule");
    }

    /** What requests answer with, and how they fail, are values that the store made; asking the store is for control. */
    private ArchRule onlyValuesOfTheStore() {
        return noClasses()
                .that()
                .resideInAnyPackage(base + ".api..", base + ".ui..", base + ".cli..")
                .should()
                .dependOnClassesThat(resideInAPackage(base + ".store..")
                        .and(not(assignableTo(Record.class)))
                        .and(not(assignableTo(Enum.class)))
                        .and(not(assignableTo(RuntimeException.class))));
    }

    private ArchRule onlyIn(String room, String... packages) {
        return noClasses().that(outside(room)).should().dependOnClassesThat().resideInAnyPackage(packages);
    }

    /** {@code store.embedded} starts the database server: a part of the store, not a command of a job. */
    private ArchRule processes() {
        return noClasses()
                .that(outside("exec"))
                .and(not(resideInAPackage(base + ".store.embedded..")))
                .should()
                .dependOnClassesThat(equivalentTo(ProcessBuilder.class).or(equivalentTo(Process.class)))
                .orShould()
                .callMethodWhere(calls(Runtime.class, "exec"));
    }

    /** {@code Instant.now(clock)} reads what was injected; without an argument, or with a zone, it reads the wall. */
    private ArchRule wallClock() {
        DescribedPredicate<JavaCall<?>> now = DescribedPredicate.describe("read the wall clock", call -> {
            boolean injected =
                    call.getTarget().getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
            boolean asksTime =
                    CLOCKS.stream().anyMatch(type -> call.getTargetOwner().isEquivalentTo(type));
            return asksTime && call.getName().equals("now") && !injected;
        });
        return noClasses()
                .that(not(isMain()))
                .should()
                .callMethodWhere(now)
                .orShould()
                .callMethodWhere(calls(System.class, "currentTimeMillis"))
                .orShould()
                .callMethodWhere(calls(
                        Clock.class,
                        "systemUTC",
                        "systemDefaultZone",
                        "system",
                        "tickSeconds",
                        "tickMinutes",
                        "tickMillis"))
                .orShould()
                .callMethodWhere(calls(InstantSource.class, "system"));
    }

    private ArchRule threads() {
        return noClasses()
                .that(outside("exec"))
                .and(not(DescribedPredicate.<JavaClass>describe(
                        "engine.Loop", type -> type.getName().matches(".*\\.engine\\.Loop(\\$.*)?"))))
                .and(not(isMain())) // the shutdown hook is a thread
                .should()
                .callConstructorWhere(DescribedPredicate.describe(
                        "make threads",
                        call -> call.getTargetOwner().isAssignableTo(Thread.class)
                                || call.getTargetOwner().isAssignableTo(ExecutorService.class)))
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "make threads",
                        call -> Set.of(Executors.class, ThreadPoolExecutor.class, ForkJoinPool.class).stream()
                                        .anyMatch(type -> call.getTargetOwner().isEquivalentTo(type))
                                || (call.getTargetOwner().isEquivalentTo(CompletableFuture.class)
                                        && call.getName().endsWith("Async"))));
    }

    private ArchRule exit() {
        return noClasses()
                .that(not(isMain()))
                .should()
                .callMethodWhere(calls(System.class, "exit"))
                .orShould()
                .callMethodWhere(calls(Runtime.class, "exit", "halt", "addShutdownHook"));
    }

    /** What stands in the base package itself: it makes and joins everything, starts it and ends it. */
    private DescribedPredicate<JavaClass> isMain() {
        return DescribedPredicate.describe(
                "the base package", type -> type.getPackageName().equals(base));
    }

    private DescribedPredicate<JavaClass> outside(String room) {
        return not(resideInAPackage(base + "." + room + ".."));
    }

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> owner, String... names) {
        return DescribedPredicate.describe(
                "call " + owner.getSimpleName() + "." + String.join("/", names),
                call -> call.getTargetOwner().isEquivalentTo(owner)
                        && Arrays.asList(names).contains(call.getName()));
    }
}
