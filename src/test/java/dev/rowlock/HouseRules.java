package dev.rowlock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

/**
 * The house as rules: which room may open onto which, and which line lives where. The base package is an argument, so
 * that offences can be kept as tests.
 */
record HouseRules(String base) {

    /** The rooms of tasks, inwards. */
    private static final List<String> TASK = List.of("task", "task.rule", "task.history", "task.store");

    /** Each room, and those that it may open onto; a room may always open onto what lies in itself. */
    private static final Map<String, List<String>> ROOMS = rooms();

    /** The rooms inside {@code store}, {@code engine} and {@code cli}: each opens onto those that stand before it. */
    private static final List<String> INSIDE_STORE =
            List.of("store.job", "store.session", "store.aggregate", "store.alert");

    private static final List<String> INSIDE_ENGINE =
            List.of("engine", "engine.result", "engine.session", "engine.alert");

    private static final List<String> INSIDE_CLI = List.of(
            "cli.output",
            "cli.files",
            "cli.imports",
            "cli.crontab",
            "cli.systemd",
            "cli.kubernetes",
            "cli.tables",
            "cli.client",
            "cli.context",
            "cli");

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
        rules.put("sql", sql());
        rules.put("migrations", onlyIn("db", "org.flywaydb..", "com.mysql..", "com.zaxxer.hikari.."));
        rules.put("inside store", inOrder(INSIDE_STORE));
        rules.put("inside engine", inOrder(INSIDE_ENGINE));
        rules.put("inside cli", inOrder(INSIDE_CLI));
        rules.put("failures", onlyFailuresOfTheDatabase());
        rules.put(
                "javalin",
                onlyIn(
                        "api",
                        "io.javalin..",
                        "jakarta.servlet..",
                        "org.eclipse.jetty.server..",
                        "org.eclipse.jetty.ee10.."));
        rules.put("http client", onlyIn("send", "org.eclipse.jetty.client.."));
        rules.put(
                "jetty",
                noClasses()
                        .that(outside("api"))
                        .and(outside("send"))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.eclipse.jetty.."));
        rules.put("metrics", onlyIn("metrics", "io.micrometer..", "io.prometheus.."));
        rules.put("traces", onlyIn("traces", "io.opentelemetry.."));
        rules.put("openid connect", onlyIn("access", "com.nimbusds..", "net.minidev.."));
        rules.put("cron-utils", onlyIn("schedule", "com.cronutils.."));
        rules.put("picocli", onlyIn("cli", "picocli.."));
        rules.put("yaml", yaml());
        rules.put("mail", onlyIn("send", "jakarta.mail..", "org.eclipse.angus.."));
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
        rules.put("java.util.Date", noDates());
        rules.replaceAll((name, rule) -> rule.allowEmptyShould(true));
        return rules;
    }

    private static Map<String, List<String>> rooms() {
        Map<String, List<String>> rooms = new LinkedHashMap<>();
        rooms.put("schedule", List.of());
        rooms.put("cluster", List.of());
        rooms.put("yaml", List.of());
        rooms.put("config", List.of("yaml", "job", "schedule"));
        rooms.put("db", List.of());
        rooms.put("embedded", List.of("db"));
        rooms.put("job", List.of("schedule"));
        rooms.put("secret", List.of());
        rooms.put("audit", List.of("db", "job"));
        rooms.put("task", List.of("job", "schedule"));
        rooms.put("task.rule", List.of("task", "job", "schedule"));
        rooms.put("task.history", List.of("audit", "db", "task.rule", "task", "job", "schedule"));
        rooms.put("task.store", List.of("task.history", "audit", "db", "task.rule", "task", "job", "schedule"));
        rooms.put("alert", List.of("task", "job", "schedule"));
        rooms.put("exec", List.of("secret", "job", "schedule"));
        rooms.put("send", List.of("exec", "job"));
        rooms.put("store", and(TASK, "secret", "audit", "db", "alert", "job", "cluster", "schedule"));
        rooms.put("verify", and(TASK, "store", "db", "job", "schedule"));
        rooms.put("access", List.of("store", "audit", "db", "job"));
        rooms.put("control", and(TASK, "secret", "access", "store", "audit", "alert", "job", "cluster", "schedule"));
        List<String> engine =
                and(TASK, "secret", "store", "audit", "db", "alert", "send", "exec", "job", "cluster", "schedule");
        rooms.put("engine", engine);
        rooms.put("node.scheduler", and(engine, "engine"));
        rooms.put("ops", List.of("store", "job"));
        rooms.put("metrics", and(TASK, "node.scheduler", "engine", "control", "store", "job"));
        rooms.put("traces", List.of("task", "engine", "store", "job"));
        rooms.put("explain", and(TASK, "store", "job", "cluster", "schedule"));
        rooms.put("api", List.of("task", "control", "access", "explain", "db", "job", "cluster", "schedule"));
        rooms.put("cli", List.of("task", "verify", "config", "yaml", "job", "schedule"));
        return rooms;
    }

    private static List<String> and(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    private ArchRule layers() {
        var house = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(base + "..")
                .withOptionalLayers(true);
        for (String room : ROOMS.keySet()) {
            boolean hasRooms = ROOMS.keySet().stream().anyMatch(other -> other.startsWith(room + "."));
            house = house.layer(room).definedBy(base + "." + room + (hasRooms ? "" : ".."));
        }
        house = house.layer("Main").definedBy(base);
        for (Map.Entry<String, List<String>> room : ROOMS.entrySet()) {
            var layer = house.whereLayer(room.getKey());
            house = room.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(room.getValue().toArray(String[]::new));
        }
        return house;
    }

    /** No room of these opens onto one that stands after it. */
    private ArchRule inOrder(List<String> rooms) {
        List<String> packages = rooms.stream().map(room -> base + "." + room).toList();
        return classes()
                .that(describe("stand in " + rooms, type -> packages.contains(type.getPackageName())))
                .should(new ArchCondition<JavaClass>("open only onto rooms that stand before their own") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        int own = packages.indexOf(type.getPackageName());
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(d -> packages.indexOf(d.getTargetClass().getPackageName()) > own)
                                .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
                    }
                });
    }

    /** The API knows how a database fails, and nothing else of it. */
    private ArchRule onlyFailuresOfTheDatabase() {
        return noClasses()
                .that()
                .resideInAPackage(base + ".api..")
                .should()
                .dependOnClassesThat(resideInAPackage(base + ".db..").and(not(assignableTo(RuntimeException.class))));
    }

    /** Certificates tell their times by dates; what is made of them at once is an instant. */
    private ArchRule noDates() {
        return classes().should(new ArchCondition<JavaClass>("not use java.util.Date") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(d -> d.getTargetClass().isEquivalentTo(Date.class))
                        .filter(d -> !d.getDescription().contains("calls method <java.util.Date.toInstant()>"))
                        .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
            }
        });
    }

    /** {@code embedded} asks the server that it has started whether it answers. */
    private ArchRule sql() {
        return noClasses()
                .that(outside("store")
                        .and(outside("task.store"))
                        .and(outside("task.history"))
                        .and(outside("audit"))
                        .and(outside("db"))
                        .and(outside("embedded")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jdbi..", "java.sql..", "javax.sql..");
    }

    private ArchRule onlyIn(String room, String... packages) {
        return noClasses().that(outside(room)).should().dependOnClassesThat().resideInAnyPackage(packages);
    }

    /** {@code yaml} reads it for everybody, and {@code cli} writes what it is asked for. */
    private ArchRule yaml() {
        return noClasses()
                .that(outside("yaml"))
                .and(outside("cli"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson.dataformat.yaml..", "org.yaml.snakeyaml..");
    }

    /** {@code embedded} starts a database server, and the base package an editor: no commands of jobs. */
    private ArchRule processes() {
        return noClasses()
                .that(outside("exec"))
                .and(not(resideInAPackage(base + ".embedded..")))
                .and(not(isMain()))
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
