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
            "The MySQL or MariaDB server and database, such as jdbc:mysql://db.example.com:3306/rowlock. Required unless the node is"
                    + " started with --embedded.");
    static final Setting<String> DATABASE_USER = add(
            "database.user",
            SettingType.text("the name of an account in one line, such as rowlock", ANY),
            null,
            "The account; needs all rights on that one database.");
    static final Setting<String> DATABASE_PASSWORD = secret(
            "database.password",
            SettingType.text("a password in one line, in YAML in quotes, such as \"0123\"", ANY),
            "The account's password.");
    static final Setting<Integer> DATABASE_POOL_SIZE = add(
            "database.pool-size",
            SettingType.whole(1, 200),
            "10",
            "Connections for HTTP requests; the loops own theirs.");

    static final Setting<String> HTTP_HOST = add(
            "http.host",
            SettingType.text(
                    "an IP address or a host name, without a port", Pattern.compile("[A-Za-z0-9.:%_-]{1,255}")),
            "127.0.0.1",
            "Where the API listens. Beyond loopback only with http.allow-plaintext.");
    static final Setting<Integer> HTTP_PORT =
            add("http.port", SettingType.whole(0, 65535), "7575", "The API's port; 0 takes any free one.");
    static final Setting<Boolean> HTTP_ALLOW_PLAINTEXT = add(
            "http.allow-plaintext",
            SettingType.bool(),
            "false",
            "Allows an address beyond loopback although there is no TLS: tokens and commands cross the network readable.");
    static final Setting<List<String>> HTTP_ALLOWED_HOSTS = add(
            "http.allowed-hosts",
            SettingType.list(
                    "a list of host names without scheme and port, such as [rowlock.example.com], or text with commas",
                    Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}]")),
            "[]",
            "Names by which clients may call the API (the Host header), besides the address it listens on.");
    static final Setting<Long> HTTP_MAX_BODY_BYTES =
            add("http.max-body-bytes", SettingType.size("1KiB", "16MiB"), "256KiB", "The largest request body.");

    static final Setting<String> DATA_DIR = add(
            "data.dir",
            SettingType.text("a path", Pattern.compile("[^\\p{Cntrl}]{1,4096}")),
            "./data",
            "The node's own files: output, journal, admin token, the embedded database. A relative path counts from ROWLOCK_HOME.");

    static final Setting<String> NODE_NAME = add(
            "node.name",
            SettingType.text("1 to 64 of A-Z a-z 0-9 . _ -, such as node-1", Pattern.compile("[A-Za-z0-9._-]{1,64}")),
            null,
            "The node's name, unique in the cluster. Default: the host's name.");
    static final Setting<Integer> NODE_CAPACITY =
            add("node.capacity", SettingType.whole(1, 10_000), "64", "How many commands this node runs at a time.");
    static final Setting<Map<String, String>> NODE_LABELS =
            add("node.labels", SettingType.labels(), "{}", "What job selectors may ask for.");

    static final Setting<String> ADMIN_TOKEN = secret(
            "admin.token",
            SettingType.text(
                    "8 to 256 printable ASCII characters without spaces; in YAML, in quotes",
                    Pattern.compile("[\\x21-\\x7e]{8,256}")),
            "The administrator's token, the same on every node: the first start sets it, and a node that comes with another one is told so."
                    + " scripts/rowlock admin-token replace replaces it. Default: made up at the first start and kept in admin.token in the"
                    + " data directory.");

    static final Setting<Duration> SESSION_HEARTBEAT =
            add("session.heartbeat", millis(10, 60), "2s", "How often the node renews its session.");
    static final Setting<Duration> SESSION_FENCE = add(
            "session.fence",
            millis(1000, 3600),
            "20s",
            "A node without the database for so long kills its commands. At most 5/6 of session.timeout, and at least 500ms less.");
    static final Setting<Duration> SESSION_FENCE_GRACE = add(
            "session.fence-grace",
            SettingType.duration(MILLI, Duration.ofHours(1)),
            null,
            "How long before the fence its commands get TERM. Default: a quarter of session.fence.");
    static final Setting<Duration> SESSION_TIMEOUT =
            add("session.timeout", millis(1500, 7200), "30s", "A session silent for so long is expired by the others.");
    static final Setting<Config.OnDisconnect> SESSION_ON_DISCONNECT = add(
            "session.on-disconnect",
            SettingType.oneOf(Config.OnDisconnect.class),
            "KILL",
            "What becomes of running commands at the fence. KILL ends them, so that no other node can run the same task at the same time."
                    + " KEEP lets them go on, and ends them only when the node's process dies or learns that its session was expired: what ends"
                    + " meanwhile keeps its result if nobody has expired the session, as when the database was away for all. If only this node"
                    + " had lost the database, the others expire its session after session.timeout, record the commands as LOST and run them"
                    + " again where their jobs say so WHILE THE FIRST ONES STILL RUN here. Choose KEEP only for commands that bear that, or"
                    + " that check ROWLOCK_FENCING_TOKEN.");

    static final Setting<Duration> SCHEDULER_HORIZON =
            add("scheduler.horizon", millis(100, 3600), "30s", "How far ahead of its fire time a task is prepared.");
    static final Setting<Duration> SCHEDULER_TAKEOVER = add(
            "scheduler.takeover",
            millis(10, 600),
            "1s",
            "How overdue another's prepared task must be to be taken over.");
    static final Setting<Integer> SCHEDULER_PREPARED_LIMIT = add(
            "scheduler.prepared-limit",
            SettingType.whole(1, 1_000_000),
            "10000",
            "How many tasks a node keeps prepared.");
    static final Setting<Integer> SCHEDULER_BATCH =
            add("scheduler.batch", SettingType.whole(1, 10_000), "500", "How many tasks one transaction moves.");
    static final Setting<Duration> MISFIRE_THRESHOLD = add(
            "misfire.threshold",
            SettingType.duration(MILLI, Duration.ofDays(365)),
            "60s",
            "An occurrence later than this is a misfire.");

    static final Setting<Integer> RECOVERY_MAX_LOST = add(
            "recovery.max-lost",
            SettingType.whole(0, 1000),
            "3",
            "How often one occurrence is run again after its node was lost.");
    static final Setting<Duration> RECOVERY_BACKOFF = add(
            "recovery.backoff",
            SettingType.duration(Duration.ZERO, DAY),
            "1s",
            "The wait before the first of those runs; doubles with each.");

    static final Setting<Long> OUTPUT_MAX_BYTES = add(
            "output.max-bytes",
            SettingType.size("1KiB", "10GiB"),
            "10MiB",
            "The largest output file of one task on the node's disk.");
    static final Setting<Long> OUTPUT_HEAD_BYTES = add(
            "output.head-bytes",
            SettingType.size("0", "4MiB"),
            "64KiB",
            "How much of the output's beginning goes to the database.");
    static final Setting<Long> OUTPUT_TAIL_BYTES = add(
            "output.tail-bytes",
            SettingType.size("0", "4MiB"),
            "64KiB",
            "How much of the output's end goes to the database.");

    static final Setting<Duration> HISTORY_RETENTION = add(
            "history.retention",
            SettingType.duration(Duration.ZERO, Duration.ofDays(36_500)),
            "30d",
            "How long ended tasks are kept; 0 keeps them for ever.");
    static final Setting<Integer> HISTORY_VERSIONS = add(
            "history.versions",
            SettingType.whole(1, 1_000_000),
            "100",
            "How many versions of a job's definition are kept at the least. Older ones go when history.retention is over and no row of"
                    + " history names them; those of a deleted job go all.");
    static final Setting<Duration> SHUTDOWN_GRACE = add(
            "shutdown.grace",
            SettingType.duration(Duration.ZERO, DAY),
            "30s",
            "How long a stopping node waits for running commands. What it has to end then is LOST, and another node runs it again if its job"
                    + " says onLost: RERUN.");

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
