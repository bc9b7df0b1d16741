package dev.rowlock.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Every setting there is, in the order of {@code config/rowlock.yaml}. */
final class Settings {

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern ANY = Pattern.compile("[^\\p{Cntrl}]*");

    static final Setting<String> DATABASE_URL = add(
            "database.url",
            SettingType.text(
                    "a URL that begins with jdbc:mysql:, such as jdbc:mysql://db.example.com:3306/rowlock",
                    Pattern.compile("jdbc:mysql:[^\\p{Cntrl}\\s]+")),
            null,
            "The MySQL or MariaDB server and database, such as jdbc:mysql://db.example.com:3306/rowlock. Several servers, separated"
                    + " by commas, are a primary and those that may be promoted. Required unless the node is started with --embedded.");
    static final Setting<String> DATABASE_USER = add(
            "database.user",
            SettingType.text("the name of an account in one line, such as rowlock", ANY),
            null,
            "The account. It needs all rights on that one database.");
    static final Setting<String> DATABASE_PASSWORD = secret(
            "database.password",
            SettingType.text("a password in one line, in YAML in quotes, such as \"0123\"", ANY),
            "The account's password.");
    static final Setting<Integer> DATABASE_POOL_SIZE = add(
            "database.pool-size",
            SettingType.whole(1, 200),
            "10",
            "Connections for HTTP requests. The node uses three or four more for itself.");

    static final Setting<String> HTTP_HOST = add(
            "http.host",
            SettingType.text(
                    "an IP address or a host name, without a port", Pattern.compile("[A-Za-z0-9.:%_-]{1,255}")),
            "127.0.0.1",
            "The address that the API listens on. Addresses beyond loopback need http.allow-plaintext.");
    static final Setting<Integer> HTTP_PORT =
            add("http.port", SettingType.whole(0, 65535), "7575", "The API's port; 0 takes any free one.");
    static final Setting<Boolean> HTTP_ALLOW_PLAINTEXT = add(
            "http.allow-plaintext",
            SettingType.bool(),
            "false",
            "Allow an address beyond loopback although there is no TLS: tokens and commands are readable on the network.");
    static final Setting<List<String>> HTTP_ALLOWED_HOSTS = add(
            "http.allowed-hosts",
            SettingType.list(
                    "a list of host names without scheme and port, such as [rowlock.example.com], or text with commas",
                    Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}]")),
            "[]",
            "Names that clients may use for the API (the Host header), besides the address that it listens on.");
    static final Setting<Long> HTTP_MAX_BODY_BYTES =
            add("http.max-body-bytes", SettingType.size("1KiB", "16MiB"), "256KiB", "The largest request body.");

    static final Setting<String> DATA_DIR = add(
            "data.dir",
            SettingType.text("a path", Pattern.compile("[^\\p{Cntrl}]{1,4096}")),
            "./data",
            "The node's own files: output, journal, admin token, embedded database. A relative path starts at ROWLOCK_HOME, the directory"
                    + " of the installation.");

    static final Setting<String> NODE_NAME = add(
            "node.name",
            SettingType.text("1 to 64 of A-Z a-z 0-9 . _ -, such as node-1", Pattern.compile("[A-Za-z0-9._-]{1,64}")),
            null,
            "The node's name, unique in the cluster. Default: the host name.");
    static final Setting<Integer> NODE_CAPACITY = add(
            "node.capacity", SettingType.whole(1, 10_000), "64", "How many commands this node runs at the same time.");
    static final Setting<Map<String, String>> NODE_LABELS =
            add("node.labels", SettingType.labels(), "{}", "Labels of the node. Nothing selects nodes by them yet.");

    static final Setting<String> ADMIN_TOKEN = secret(
            "admin.token",
            SettingType.text(
                    "8 to 256 printable ASCII characters without spaces; in YAML, in quotes",
                    Pattern.compile("[\\x21-\\x7e]{8,256}")),
            "The administrator's token, the same on every node. The first node to start sets it; a node with a different one says so and"
                    + " rejects it. To replace it, run scripts/rowlock admin-token replace. Default: generated at the first start and kept in"
                    + " admin.token in the data directory.");

    static final Setting<Duration> SESSION_HEARTBEAT =
            add("session.heartbeat", millis(10, 60), "2s", "How often the node renews its session.");
    static final Setting<Duration> SESSION_FENCE = add(
            "session.fence",
            millis(1000, 3600),
            "20s",
            "A node that has been without the database for this long kills its commands. At most 5/6 of session.timeout, and at least"
                    + " 500ms less.");
    static final Setting<Duration> SESSION_FENCE_GRACE = add(
            "session.fence-grace",
            SettingType.duration(MILLI, Duration.ofHours(1)),
            null,
            "How long before the fence commands get TERM. Default: a quarter of session.fence.");
    static final Setting<Duration> SESSION_TIMEOUT = add(
            "session.timeout",
            millis(1500, 7200),
            "30s",
            "The other nodes expire a session that has been silent for this long.");
    static final Setting<Config.OnDisconnect> SESSION_ON_DISCONNECT = add(
            "session.on-disconnect",
            SettingType.oneOf(Config.OnDisconnect.class),
            "KILL",
            "What happens to running commands at the fence. KILL ends them, so that no other node can run the same task at the same time."
                    + " KEEP lets them go on until the node's process dies or learns that its session was expired. Their results count if"
                    + " nobody has expired the session, as when all nodes had lost the database. If only this node had lost it, the others"
                    + " expire its session after session.timeout, record the commands as LOST and, where the jobs say so, run them again WHILE"
                    + " THE FIRST ONES STILL RUN here. Choose KEEP only for commands that tolerate that, or that check ROWLOCK_FENCING_TOKEN.");

    static final Setting<Duration> SCHEDULER_HORIZON =
            add("scheduler.horizon", millis(100, 3600), "30s", "How far ahead of its fire time a task is prepared.");
    static final Setting<Duration> SCHEDULER_TAKEOVER = add(
            "scheduler.takeover",
            millis(10, 600),
            "1s",
            "How overdue a prepared task of another node must be before this node takes it over.");
    static final Setting<Integer> SCHEDULER_PREPARED_LIMIT = add(
            "scheduler.prepared-limit",
            SettingType.whole(1, 1_000_000),
            "10000",
            "How many tasks a node keeps prepared at most.");
    static final Setting<Integer> SCHEDULER_BATCH = add(
            "scheduler.batch", SettingType.whole(1, 10_000), "500", "How many tasks one transaction moves at most.");
    static final Setting<Duration> MISFIRE_THRESHOLD = add(
            "misfire.threshold",
            SettingType.duration(MILLI, Duration.ofDays(365)),
            "60s",
            "An occurrence that is later than this is a misfire.");

    static final Setting<Integer> RECOVERY_MAX_LOST = add(
            "recovery.max-lost",
            SettingType.whole(0, 1000),
            "3",
            "How often one occurrence is run again because its node died. 0: never. Up to 10 reruns because its node was stopped do not"
                    + " count.");
    static final Setting<Duration> RECOVERY_BACKOFF = add(
            "recovery.backoff",
            SettingType.duration(Duration.ZERO, DAY),
            "1s",
            "The delay before the second of those reruns; it doubles with each further one, up to a day. The first one is"
                    + " not delayed.");

    static final Setting<Config.Spawn> EXEC_SPAWN = add(
            "exec.spawn",
            SettingType.oneOf(Config.Spawn.class),
            "AUTO",
            "How commands are started. POSIX_SPAWN calls the C library (glibc 2.34 or later, x86-64 or ARM64) and takes about half"
                    + " the CPU time. PROCESS_BUILDER is what Java offers. AUTO takes POSIX_SPAWN where it works, and says at start"
                    + " if it does not.");

    static final Setting<Long> OUTPUT_MAX_BYTES = add(
            "output.max-bytes",
            SettingType.size("1KiB", "10GiB"),
            "10MiB",
            "How large the output file of one task may grow on the node's disk. What exceeds it is cut out of the middle.");
    static final Setting<Long> OUTPUT_HEAD_BYTES = add(
            "output.head-bytes",
            SettingType.size("0", "4MiB"),
            "64KiB",
            "How much of the beginning of the output goes to the database.");
    static final Setting<Long> OUTPUT_TAIL_BYTES = add(
            "output.tail-bytes",
            SettingType.size("0", "4MiB"),
            "64KiB",
            "How much of the end of the output goes to the database.");

    static final Setting<Duration> HISTORY_RETENTION = add(
            "history.retention",
            SettingType.duration(Duration.ZERO, Duration.ofDays(36_500)),
            "30d",
            "How long ended tasks are kept. 0: for ever.");
    static final Setting<Integer> HISTORY_VERSIONS = add(
            "history.versions",
            SettingType.whole(1, 1_000_000),
            "100",
            "How many versions of a job's definition are always kept. Older ones are purged after history.retention, once no row of"
                    + " history refers to them. For a deleted job, that holds for all versions.");
    static final Setting<Duration> SHUTDOWN_GRACE = add(
            "shutdown.grace",
            SettingType.duration(Duration.ZERO, DAY),
            "30s",
            "How long a stopping node waits for running commands. Those that it then has to end are LOST, and another node runs them again"
                    + " if the job says onLost: RERUN.");

    private Settings() {}

    static List<Setting<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }

    private static SettingType<Duration> millis(int min, int maxSeconds) {
        return SettingType.duration(Duration.ofMillis(min), Duration.ofSeconds(maxSeconds));
    }

    private static <T> Setting<T> secret(String key, SettingType<T> kind, String description) {
        return declared(new Setting<>(key, kind, null, true, description));
    }

    private static <T> Setting<T> add(String key, SettingType<T> kind, @Nullable String standard, String description) {
        return declared(new Setting<>(key, kind, standard, false, description));
    }

    private static <T> Setting<T> declared(Setting<T> setting) {
        DECLARED.add(setting);
        return setting;
    }
}
