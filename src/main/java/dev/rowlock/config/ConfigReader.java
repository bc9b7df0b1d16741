package dev.rowlock.config;

import dev.rowlock.config.Config.AlertConfig;
import dev.rowlock.config.Config.DatabaseConfig;
import dev.rowlock.config.Config.HttpConfig;
import dev.rowlock.config.Config.MailConfig;
import dev.rowlock.config.Config.MetricsConfig;
import dev.rowlock.config.Config.NodeConfig;
import dev.rowlock.config.Config.OutputConfig;
import dev.rowlock.config.Config.RecoveryConfig;
import dev.rowlock.config.Config.SchedulerConfig;
import dev.rowlock.config.Config.SecretConfig;
import dev.rowlock.config.Config.SessionConfig;
import dev.rowlock.config.Config.TlsConfig;
import dev.rowlock.schedule.Durations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of a {@link Config} from the sources; collects all that is wrong. */
final class ConfigReader {

    private static final Path KERNEL_HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int NODE_NAME_CHARS = 64;
    private static final Duration GUARD_NEEDS = Duration.ofMillis(500);
    private static final String NO_DATABASE = "jdbc:mysql://[^/?#()]+/?([?#].*)?";
    private static final String LOOPBACK = "localhost|127(\\.\\d{1,3}){3}|::1";

    private static final String LOG_LEVEL = "ROWLOCK_LOG_LEVEL";
    private static final List<String> LOG_LEVELS = List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");

    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<Setting<?>> wrong = new HashSet<>();
    /** Reasons why the file is unknown; empty if it is not. */
    private final List<String> unreadable;

    private final Path home;
    private final Map<String, FoundValue> found;
    /** Key file handed over by systemd, if any. */
    private final @Nullable Path credential;

    /** @param file null: the standard one, if there is one */
    ConfigReader(@Nullable Path file, Map<String, String> environment) {
        this(file == null ? standardFile(environment) : file, environment, file != null);
    }

    /**
     * @param from null: none is read
     * @param required whether it must be there
     */
    ConfigReader(@Nullable Path from, Map<String, String> environment, boolean required) {
        this.home = home(environment);
        Sources sources = new Sources(problems, warnings);
        if (from != null && (required || Files.exists(from))) {
            sources.readFile(from);
            warnOfReaders(from, sources.found());
        }
        this.unreadable = List.copyOf(sources.unreadable());
        sources.readEnvironment(environment);
        checkLogLevel(environment.getOrDefault(LOG_LEVEL, ""));
        this.found = sources.found();
        this.credential = credential(environment.getOrDefault("CREDENTIALS_DIRECTORY", ""));
    }

    private static Path home(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("ROWLOCK_HOME", "")).toAbsolutePath();
    }

    static Path standardFile(Map<String, String> environment) {
        return home(environment).resolve("config").resolve("rowlock.yaml");
    }

    /** Checks the level, as the log would take an unknown one for DEBUG. */
    private void checkLogLevel(String level) {
        if (!level.isEmpty() && !LOG_LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
            problems.add(LOG_LEVEL + " in the environment: found '" + level + "', allowed is "
                    + String.join(" or ", LOG_LEVELS) + "; the default is INFO.");
        }
    }

    private void warnOfReaders(Path file, Map<String, FoundValue> inFile) {
        List<String> secrets = Settings.all().stream()
                .filter(setting -> setting.secret() && inFile.containsKey(setting.key()))
                .map(Setting::key)
                .toList();
        try {
            if (!secrets.isEmpty() && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                warnings.add(file + " holds " + String.join(", ", secrets)
                        + ", and every user of this host can read it; run: chmod o= " + file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            warnings.add(file + ": nobody knows who can read it: " + e);
        }
    }

    private static @Nullable Path credential(String directory) {
        Path file = directory.isBlank() ? null : Path.of(directory).resolve("rowlock-secrets-key");
        return file != null && Files.exists(file) ? file : null;
    }

    boolean namesDatabase() {
        return found.containsKey(Settings.DATABASE_URL.key());
    }

    LocalSettings local() {
        problems.clear();
        problems.addAll(unreadable);
        String scheme = ifSet(Settings.HTTP_TLS_CERTIFICATE) == null ? "http" : "https";
        LocalSettings local = new LocalSettings(
                absolute(value(Settings.DATA_DIR)),
                HttpConfig.url(scheme, value(Settings.HTTP_HOST), value(Settings.HTTP_PORT)),
                ifSet(Settings.ADMIN_TOKEN),
                namesDatabase());
        if (!problems.isEmpty()) {
            throw new ConfigProblems(problems);
        }
        return local;
    }

    Config read(boolean embedded) {
        Config config = new Config(
                embedded,
                database(embedded),
                http(),
                absolute(value(Settings.DATA_DIR)),
                node(),
                ifSet(Settings.ADMIN_TOKEN),
                new SignInReader(this).read(),
                session(),
                scheduler(),
                value(Settings.SCHEDULE_ZONE),
                misfireThreshold(),
                new RecoveryConfig(value(Settings.RECOVERY_MAX_LOST), value(Settings.RECOVERY_BACKOFF)),
                value(Settings.EXEC_SPAWN),
                output(),
                secrets(),
                value(Settings.HISTORY_RETENTION),
                value(Settings.HISTORY_VERSIONS),
                value(Settings.HISTORY_AUDIT),
                new AlertsReader(this).read(),
                value(Settings.SHUTDOWN_GRACE),
                new MetricsConfig(value(Settings.METRICS_ACCESS), ifSet(Settings.METRICS_TOKEN)),
                ifSet(Settings.OTEL_ENDPOINT),
                value(Settings.LOG_FORMAT),
                shared(),
                List.copyOf(warnings));
        if (!problems.isEmpty()) {
            throw new ConfigProblems(problems);
        }
        return config;
    }

    private Map<String, String> shared() {
        Map<String, String> shared = new TreeMap<>();
        Settings.all().stream()
                .filter(setting -> setting.scope() == Setting.Scope.COMPARED && rightSoFar(setting))
                .forEach(setting -> shared.put(
                        setting.key(), Setting.written(setting.standard() == null ? ifSet(setting) : value(setting))));
        return shared;
    }

    private DatabaseConfig database(boolean embedded) {
        String url = ifSet(Settings.DATABASE_URL);
        if (url == null && !embedded && rightSoFar(Settings.DATABASE_URL)) {
            problems.add("database.url: is missing; set it, or " + Settings.DATABASE_URL.variable() + ", to a URL such"
                    + " as jdbc:mysql://db.example.com:3306/rowlock, or start with --embedded to try Rowlock without a"
                    + " database of your own.");
        }
        if (url != null && url.matches(NO_DATABASE)) {
            problems.add(name(Settings.DATABASE_URL)
                    + ": names no database; add its name, as in jdbc:mysql://db.example.com:3306/rowlock.");
        }
        if (url != null && embedded) {
            problems.add(name(Settings.DATABASE_URL) + ": is set, but --embedded was given, which brings a database of"
                    + " its own; leave out one of the two.");
        }
        String user = ifSet(Settings.DATABASE_USER);
        if (url != null && !embedded && (user == null || user.isEmpty()) && rightSoFar(Settings.DATABASE_USER)) {
            problems.add("database.user: is missing; set it, or " + Settings.DATABASE_USER.variable() + ", to the"
                    + " account that " + name(Settings.DATABASE_URL) + " is used with. Without it, the driver would"
                    + " take the name of this process's user, and no password.");
        }
        return new DatabaseConfig(url, user, ifSet(Settings.DATABASE_PASSWORD), value(Settings.DATABASE_POOL_SIZE));
    }

    private HttpConfig http() {
        String host = value(Settings.HTTP_HOST);
        boolean allowed = value(Settings.HTTP_ALLOW_PLAINTEXT);
        @Nullable TlsConfig tls = tls();
        if (tls == null
                && !allowed
                && !host.matches(LOOPBACK)
                && rightSoFar(Settings.HTTP_HOST, Settings.HTTP_ALLOW_PLAINTEXT, Settings.HTTP_TLS_CERTIFICATE)) {
            problems.add(name(Settings.HTTP_HOST) + ": found '" + host + "', which is beyond loopback; there is no"
                    + " TLS, so tokens and commands would cross the network unencrypted. Set http.tls.certificate and"
                    + " http.tls.key, keep 127.0.0.1 and put a TLS proxy in front, or set http.allow-plaintext"
                    + " (ROWLOCK_HTTP_ALLOW_PLAINTEXT) to true on a network that you trust.");
        }
        return new HttpConfig(
                host,
                value(Settings.HTTP_PORT),
                tls,
                allowed,
                value(Settings.HTTP_ALLOWED_HOSTS),
                value(Settings.HTTP_MAX_BODY_BYTES));
    }

    private @Nullable TlsConfig tls() {
        String certificate = ifSet(Settings.HTTP_TLS_CERTIFICATE);
        String key = ifSet(Settings.HTTP_TLS_KEY);
        if (certificate != null && key != null) {
            return new TlsConfig(absolute(certificate), absolute(key));
        }
        if ((certificate != null || key != null) && rightSoFar(Settings.HTTP_TLS_CERTIFICATE, Settings.HTTP_TLS_KEY)) {
            Setting<String> set = certificate == null ? Settings.HTTP_TLS_KEY : Settings.HTTP_TLS_CERTIFICATE;
            Setting<String> missing = certificate == null ? Settings.HTTP_TLS_CERTIFICATE : Settings.HTTP_TLS_KEY;
            problems.add(missing.key() + ": is missing; " + set.key() + " is set, and TLS needs both. Set it, or "
                    + missing.variable() + ", to a file in PEM form.");
        }
        return null;
    }

    Path absolute(String path) {
        return home.resolve(path).normalize();
    }

    private NodeConfig node() {
        String name = ifSet(Settings.NODE_NAME);
        return new NodeConfig(
                name == null ? hostName() : name, value(Settings.NODE_CAPACITY), value(Settings.NODE_LABELS));
    }

    private SessionConfig session() {
        Duration heartbeat = value(Settings.SESSION_HEARTBEAT);
        Duration fence = value(Settings.SESSION_FENCE);
        Duration timeout = value(Settings.SESSION_TIMEOUT);
        Duration grace = ifSet(Settings.SESSION_FENCE_GRACE);
        if (grace == null) {
            grace = fence.dividedBy(4);
        }
        if (heartbeat.multipliedBy(3).compareTo(fence.minus(grace)) > 0
                && rightSoFar(Settings.SESSION_HEARTBEAT, Settings.SESSION_FENCE, Settings.SESSION_FENCE_GRACE)) {
            problems.add(name(Settings.SESSION_HEARTBEAT) + ": found " + Durations.format(heartbeat)
                    + ", allowed is at most a third of session.fence − session.fence-grace (" + Durations.format(fence)
                    + " − " + Durations.format(grace) + "), so that two lost heartbeats do not kill commands.");
        }
        if (rightSoFar(Settings.SESSION_FENCE, Settings.SESSION_TIMEOUT)) {
            checkFence(fence, timeout);
        }
        return new SessionConfig(heartbeat, fence, grace, timeout);
    }

    /**
     * Checks the fence: the guard looks five times a second whether it has been passed, and then has to find what to
     * kill.
     */
    private void checkFence(Duration fence, Duration timeout) {
        if (fence.multipliedBy(6).compareTo(timeout.multipliedBy(5)) > 0) {
            problems.add(name(Settings.SESSION_FENCE) + ": found " + Durations.format(fence)
                    + ", allowed is at most 5/6 of session.timeout (" + Durations.format(timeout)
                    + "), so that a node's commands are dead before the others expire its session.");
        } else if (timeout.minus(fence).compareTo(GUARD_NEEDS) < 0) {
            problems.add(name(Settings.SESSION_FENCE) + ": found " + Durations.format(fence) + ", allowed is at most "
                    + Durations.format(timeout.minus(GUARD_NEEDS)) + ", " + Durations.format(GUARD_NEEDS)
                    + " less than session.timeout (" + Durations.format(timeout) + "): the guard looks every 200ms and"
                    + " needs time to kill. Raise session.timeout or lower session.fence.");
        }
    }

    private SchedulerConfig scheduler() {
        return new SchedulerConfig(
                value(Settings.SCHEDULER_HORIZON),
                value(Settings.SCHEDULER_TAKEOVER),
                value(Settings.SCHEDULER_PREPARED_LIMIT),
                value(Settings.SCHEDULER_BATCH));
    }

    /**
     * Returns the misfire threshold, with room for a takeover, which comes scheduler.takeover late and takes a moment
     * to start.
     */
    private Duration misfireThreshold() {
        Duration threshold = value(Settings.MISFIRE_THRESHOLD);
        Duration least = value(Settings.SCHEDULER_TAKEOVER).multipliedBy(2);
        if (threshold.compareTo(least) < 0 && rightSoFar(Settings.MISFIRE_THRESHOLD, Settings.SCHEDULER_TAKEOVER)) {
            problems.add(name(Settings.MISFIRE_THRESHOLD) + ": found " + Durations.format(threshold)
                    + ", allowed is at least twice scheduler.takeover (" + Durations.format(least)
                    + "): else what one node takes over from another would be missed.");
        }
        return threshold;
    }

    private SecretConfig secrets() {
        String keyFile = ifSet(Settings.SECRETS_KEY_FILE);
        List<String> previous = ifSet(Settings.SECRETS_PREVIOUS_KEYS);
        return new SecretConfig(
                ifSet(Settings.SECRETS_KEY),
                keyFile == null ? credential : home.resolve(keyFile).normalize(),
                previous == null ? List.of() : previous,
                value(Settings.SECRETS_FILES).stream()
                        .map(Path::of)
                        .map(Path::normalize)
                        .toList(),
                value(Settings.SECRETS_ENV));
    }

    private OutputConfig output() {
        long max = value(Settings.OUTPUT_MAX_BYTES);
        long head = value(Settings.OUTPUT_HEAD_BYTES);
        long tail = value(Settings.OUTPUT_TAIL_BYTES);
        if (2 * (head + tail) > max
                && rightSoFar(Settings.OUTPUT_MAX_BYTES, Settings.OUTPUT_HEAD_BYTES, Settings.OUTPUT_TAIL_BYTES)) {
            problems.add(name(Settings.OUTPUT_MAX_BYTES) + ": found " + max
                    + " bytes, allowed is at least twice output.head-bytes + output.tail-bytes (" + 2 * (head + tail)
                    + ").");
        }
        return new OutputConfig(max, head, tail);
    }

    /** Returns the value of a setting with a default; the default if the value is wrong, which is reported. */
    <T> T value(Setting<T> setting) {
        T value = ifSet(setting);
        return value != null ? value : setting.standardValue();
    }

    <T> @Nullable T ifSet(Setting<T> setting) {
        FoundValue value = found.get(setting.key());
        if (value == null) {
            return null;
        }
        T read = setting.type().reader().apply(setting.secret() ? value.withBlanks() : value);
        if (read == null) {
            wrong.add(setting);
            String shown = setting.secret() ? "a value that is not shown, as it is secret" : value.quoted();
            String near = setting.type().near().apply(value);
            String standard = setting.standard() == null ? "" : "; the default is " + setting.standard();
            problems.add(
                    name(setting) + ": found " + shown + (setting.secret() ? value.typeIfNotText() : value.remark())
                            + ", allowed is "
                            + setting.type().allowed() + standard
                            + (near.isEmpty() ? "." : near));
        }
        return read;
    }

    /** Returns whether none of these settings was reported; avoids a second sentence about one. */
    boolean rightSoFar(Setting<?>... settings) {
        return Stream.of(settings).noneMatch(wrong::contains);
    }

    void problem(String sentence) {
        problems.add(sentence);
    }

    String name(Setting<?> setting) {
        FoundValue value = found.get(setting.key());
        return value == null || value.variable() == null
                ? setting.key()
                : setting.key() + " (" + value.variable() + ")";
    }

    private String hostName() {
        String name = kernelHostName().strip().replaceAll("[^A-Za-z0-9._-]", "-");
        if (name.matches("\\.{0,2}")) {
            problems.add("node.name: this host has no name to take instead; set it, or ROWLOCK_NODE_NAME.");
        }
        return name.substring(0, Math.min(name.length(), NODE_NAME_CHARS));
    }

    private static String kernelHostName() {
        try {
            return Files.exists(KERNEL_HOST_NAME)
                    ? Files.readString(KERNEL_HOST_NAME)
                    : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return ""; // reported as a host without a name
        } catch (IOException e) {
            throw new UncheckedIOException(KERNEL_HOST_NAME.toString(), e);
        }
    }

    /** Reader of the settings of alerts; reports problems. */
    private record AlertsReader(ConfigReader reader) {

        AlertConfig read() {
            String url = reader.ifSet(Settings.HTTP_PUBLIC_URL);
            return new AlertConfig(
                    url == null ? null : url.replaceAll("/+$", ""),
                    reader.value(Settings.ALERTS_ALLOW_INTERNAL),
                    reader.value(Settings.ALERTS_COMMANDS),
                    mail(),
                    reader.ifSet(Settings.PING_URL),
                    reader.value(Settings.PING_EVERY));
        }

        private @Nullable MailConfig mail() {
            String host = reader.ifSet(Settings.SMTP_HOST);
            String from = reader.ifSet(Settings.SMTP_FROM);
            String user = reader.ifSet(Settings.SMTP_USER);
            String password = reader.ifSet(Settings.SMTP_PASSWORD);
            int port = reader.value(Settings.SMTP_PORT);
            Config.MailSecurity security = reader.value(Settings.SMTP_SECURITY);
            if (host == null) {
                return null;
            }
            if (from == null && reader.rightSoFar(Settings.SMTP_FROM)) {
                reader.problem("smtp.from: is missing; with smtp.host, set it, or " + Settings.SMTP_FROM.variable()
                        + ", to the address that messages come from, such as rowlock@example.com.");
            }
            if ((user == null) != (password == null) && reader.rightSoFar(Settings.SMTP_USER, Settings.SMTP_PASSWORD)) {
                reader.problem((user == null ? "smtp.user" : "smtp.password")
                        + ": is missing; smtp.user and smtp.password go together.");
            }
            return new MailConfig(host, port, security, user, password, from == null ? "" : from);
        }
    }
}
