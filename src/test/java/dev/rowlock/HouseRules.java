package dev.rowlock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The house as rules: which room may open onto which, and which line lives where. The base package is an argument, so
 * that offences can be kept as tests.
 */
record HouseRules(String base) {

    /** The rooms from the bottom to the top: each opens only onto those that stand before it. */
    static final List<String> ROOMS = List.of(
            "yaml",
            "schedule.calendar",
            "schedule",
            "db",
            "db.schema",
            "db.embedded",
            "field",
            "definition.calendar",
            "definition",
            "audit",
            "access",
            "access.signin",
            "config",
            "secret",
            "task",
            "freeze",
            "exec.process",
            "exec.output",
            "exec",
            "cluster",
            "http",
            "access.request",
            "calendar",
            "task.rule",
            "freeze.store",
            "task.history",
            "task.store",
            "task.transition",
            "task.query",
            "task.rerun",
            "task.backfill",
            "cluster.store",
            "report.count",
            "secret.store",
            "job.store",
            "schedule.preview",
            "task.request",
            "job",
            "job.group",
            "freeze.request",
            "job.backfill",
            "job.version",
            "job.calendar",
            "job.plan",
            "node",
            "node.recorder",
            "node.session",
            "node.scheduler",
            "report.verify",
            "report",
            "report.explain",
            "report.metrics",
            "report.event",
            "alert",
            "alert.store",
            "alert.send",
            "alert.request",
            "secret.request",
            "traces",
            "api",
            "cli.output",
            "cli.files",
            "cli.imports",
            "cli.crontab",
            "cli.systemd",
            "cli.kubernetes",
            "cli.tables",
            "cli.ical",
            "cli.client",
            "cli.context",
            "cli.call",
            "cli.plan",
            "cli.job",
            "cli.top",
            "cli");

    /** Rooms of rules and values: no database, no HTTP, no process. */
    private static final List<String> PURE = List.of(
            "schedule.calendar",
            "schedule",
            "field",
            "definition.calendar",
            "definition",
            "task",
            "freeze",
            "task.rule",
            "alert");

    /** Rooms whose classes all speak SQL; in others, those that are named for it do. */
    private static final List<String> STORES = List.of(
            "audit",
            "calendar",
            "cluster.store",
            "task.history",
            "task.store",
            "task.transition",
            "task.query",
            "task.backfill",
            "task.rerun",
            "secret.store",
            "job.store",
            "report.count",
            "freeze.store",
            "alert.store");

    /** What a client of the API may need of the program: no node, no database, no server. */
    private static final List<String> CLIENT = List.of(
            "yaml",
            "schedule.calendar",
            "schedule",
            "schedule.preview",
            "field",
            "definition",
            "config",
            "task",
            "report.verify");

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
        rules.put("order", order());
        rules.put("pure", pure());
        rules.put("client", client());
        rules.put("main", noClasses().that(not(isMain())).should().dependOnClassesThat(isMain()));
        rules.put("sql", sql());
        rules.put("migrations", onlyIn("db", "org.flywaydb..", "com.mysql..", "com.zaxxer.hikari.."));
        rules.put("failures", onlyFailuresOfTheDatabase());
        rules.put("javalin", javalin());
        rules.put("http client", onlyIn("alert.send", "org.eclipse.jetty.client.."));
        rules.put(
                "jetty",
                noClasses()
                        .that(outside("http"))
                        .and(outside("api"))
                        .and(outside("alert.send"))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.eclipse.jetty.."));
        rules.put("metrics", onlyIn("report.metrics", "io.micrometer..", "io.prometheus.."));
        rules.put("traces", onlyIn("traces", "io.opentelemetry.."));
        rules.put("openid connect", onlyIn("access", "com.nimbusds..", "net.minidev.."));
        rules.put("cron-utils", onlyIn("schedule", "com.cronutils.."));
        rules.put("picocli", onlyIn("cli", "picocli.."));
        rules.put("yaml", yaml());
        rules.put("mail", onlyIn("alert.send", "jakarta.mail..", "org.eclipse.angus.."));
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

    /** No room opens onto one that stands after it, and each stands in the list. */
    private ArchRule order() {
        return classes()
                .that(not(isMain()))
                .should(new ArchCondition<JavaClass>("open only onto rooms before their own") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        int own = ROOMS.indexOf(room(type));
                        if (own < 0) {
                            events.add(SimpleConditionEvent.violated(
                                    type, type.getName() + " stands in no room of the list"));
                        }
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(d -> ROOMS.indexOf(room(d.getTargetClass())) > own)
                                .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
                    }
                });
    }

    private ArchRule pure() {
        return classes()
                .that(describe("stand in " + PURE, type -> PURE.contains(room(type))))
                .should(opensOnlyOnto(PURE));
    }

    private ArchRule client() {
        return classes()
                .that(resideInAPackage(base + ".cli.."))
                .should(opensOnlyOnto(
                        Stream.concat(CLIENT.stream(), ROOMS.stream().filter(room -> room.matches("cli(\\..*)?")))
                                .toList()));
    }

    private ArchCondition<JavaClass> opensOnlyOnto(List<String> rooms) {
        return new ArchCondition<>("open only onto " + rooms) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(d -> d.getTargetClass().getPackageName().matches(Pattern.quote(base) + "(\\..*)?"))
                        .filter(d -> !rooms.contains(room(d.getTargetClass())))
                        .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
            }
        };
    }

    /** Returns the package below the base package; empty for the base package and for what is not ours. */
    private String room(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith(base + ".") ? name.substring(base.length() + 1) : "";
    }

    private ArchRule javalin() {
        return noClasses()
                .that(outside("http"))
                .and(outside("api"))
                .and(not(describe(
                        "are routes", type -> type.getName().matches(".*(Routes|SignInPages|UnbrokenOutput)(\\$.*)?"))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.javalin..", "jakarta.servlet..", "org.eclipse.jetty.server..", "org.eclipse.jetty.ee10..");
    }

    /** The server knows how a database fails, and nothing else of it. */
    private ArchRule onlyFailuresOfTheDatabase() {
        return noClasses()
                .that(resideInAPackage(base + ".api..").or(resideInAPackage(base + ".http..")))
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

    /** A store, and {@code db}; who has one of several rooms' jobs to do is named for it. */
    private ArchRule sql() {
        return noClasses()
                .that(outside("db"))
                .and(not(describe("stand in " + STORES, type -> STORES.contains(room(type)))))
                .and(not(describe(
                        "are stores",
                        type -> type.getName().matches(".*(Store|Queries|TokenRows|OldVersions)(\\$.*)?"))))
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

    /** {@code db.embedded} starts a database server, and the base package an editor: no commands of jobs. */
    private ArchRule processes() {
        return noClasses()
                .that(outside("exec"))
                .and(not(resideInAPackage(base + ".db.embedded..")))
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
                        "node.Loop", type -> type.getName().matches(".*\\.node\\.Loop(\\$.*)?"))))
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
