package dev.rowlock.config;

import static dev.rowlock.config.SettingType.bool;
import static dev.rowlock.config.SettingType.commands;
import static dev.rowlock.config.SettingType.duration;
import static dev.rowlock.config.SettingType.durationOrNone;
import static dev.rowlock.config.SettingType.groupRoles;
import static dev.rowlock.config.SettingType.labels;
import static dev.rowlock.config.SettingType.list;
import static dev.rowlock.config.SettingType.oneOf;
import static dev.rowlock.config.SettingType.path;
import static dev.rowlock.config.SettingType.paths;
import static dev.rowlock.config.SettingType.size;
import static dev.rowlock.config.SettingType.text;
import static dev.rowlock.config.SettingType.whole;
import static dev.rowlock.config.SettingType.word;
import static dev.rowlock.config.SettingType.zone;

import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.config.Setting.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All settings, in the order of {@code config/rowlock.yaml}, which describes them. */
final class Settings {

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    private static final Duration DAY = Duration.ofDays(1);
    private static final String KEY = "32 random bytes in base64, as \"openssl rand -base64 32\" makes them";
    private static final String BASE64 = "[A-Za-z0-9+/]{43}=";
    private static final String ANY = "[^\\p{Cntrl}]*";
    private static final String LINE = "[^\\p{Cntrl}]{1,1000}";
    private static final String URL = "a URL such as https://login.example.com, without a query";
    /** Form of a node's name, after which a directory is named. */
    static final String NODE_NAMES = "(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}";

    static final Setting<String> DATABASE_URL = add(
            "database.url",
            text(
                    "a URL that begins with jdbc:mysql:, such as jdbc:mysql://db.example.com:3306/rowlock, without user"
                            + " and password, for which there are database.user and database.password",
                    "jdbc:mysql:(?i:(?!.*(@|\\b(user|password)\\d?=)))[^\\p{Cntrl}\\s]+"),
            null);
    static final Setting<String> DATABASE_USER =
            add("database.user", text("the name of an account in one line, such as rowlock", ANY), null);
    static final Setting<String> DATABASE_PASSWORD =
            secret("database.password", text("a password in one line, in YAML in quotes, such as \"0123\"", ANY));
    static final Setting<Integer> DATABASE_POOL_SIZE = add("database.pool-size", whole(1, 200), "10");

    static final Setting<String> HTTP_HOST = add(
            "http.host", text("an IP address or a host name, without a port", "[A-Za-z0-9.:%_-]{1,255}"), "127.0.0.1");
    static final Setting<Integer> HTTP_PORT = add("http.port", whole(0, 65535), "7575");
    static final Setting<String> HTTP_TLS_CERTIFICATE = add("http.tls.certificate", path(), null);
    static final Setting<String> HTTP_TLS_KEY = add("http.tls.key", path(), null);
    static final Setting<Boolean> HTTP_ALLOW_PLAINTEXT = add("http.allow-plaintext", bool(), "false");
    static final Setting<List<String>> HTTP_ALLOWED_HOSTS = add(
            "http.allowed-hosts",
            list(
                    "a list of host names without scheme and port, such as [rowlock.example.com], or text with commas",
                    "[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}]"),
            "[]");
    static final Setting<Long> HTTP_MAX_BODY_BYTES = add("http.max-body-bytes", size("1KiB", "16MiB"), "256KiB");

    static final Setting<String> HTTP_PUBLIC_URL = compared(
            "http.public-url",
            text(
                    "the URL at which people reach Rowlock, such as https://rowlock.example.com",
                    "https?://[A-Za-z0-9.:_/\\[\\]-]{1,500}"),
            null);

    static final Setting<String> DATA_DIR = add("data.dir", path(), "./data");

    static final Setting<String> NODE_NAME =
            add("node.name", text("1 to 64 of A-Z a-z 0-9 . _ -, such as node-1, and not . or ..", NODE_NAMES), null);
    static final Setting<Integer> NODE_CAPACITY = add("node.capacity", whole(1, 10_000), "64");
    static final Setting<Map<String, String>> NODE_LABELS = add("node.labels", labels(), "{}");

    static final Setting<String> ADMIN_TOKEN = clusterSecret(
            "admin.token",
            text("8 to 256 printable ASCII characters without spaces; in YAML, in quotes", "[\\x21-\\x7e]{8,256}"));

    static final Setting<Duration> SIGNIN_IDLE_TIMEOUT =
            compared("signin.idle-timeout", duration(Duration.ofMinutes(1), Duration.ofDays(365)), "12h");
    static final Setting<Duration> SIGNIN_MAX_AGE =
            compared("signin.max-age", duration(Duration.ofMinutes(1), Duration.ofDays(365)), "7d");

    static final Setting<String> OIDC_ISSUER = compared("oidc.issuer", text(URL, "https?://[^\\p{Cntrl}\\s?#]+"), null);
    static final Setting<String> OIDC_CLIENT_ID = compared("oidc.client-id", text("text in one line", LINE), null);
    static final Setting<String> OIDC_CLIENT_SECRET =
            clusterSecret("oidc.client-secret", text("text in one line, in YAML in quotes", LINE));
    static final Setting<String> OIDC_CLIENT_SECRET_FILE = add("oidc.client-secret-file", path(), null);
    static final Setting<String> OIDC_REDIRECT_URL =
            compared("oidc.redirect-url", text(URL, "https?://[^\\p{Cntrl}\\s?#]+"), null);
    static final Setting<List<String>> OIDC_SCOPES = compared(
            "oidc.scopes",
            list(
                    "a list of scopes such as [openid, profile, email], or text with commas",
                    "[\\x21\\x23-\\x5b\\x5d-\\x7e]+"),
            "[openid, profile, email]");
    static final Setting<String> OIDC_GROUPS_CLAIM = compared(
            "oidc.groups-claim", text("the name of a claim, such as groups or realm_access.roles", LINE), "groups");
    static final Setting<Map<String, GroupRoleConfig>> OIDC_ROLES = compared("oidc.roles", groupRoles(), "{}");

    static final Setting<Duration> SESSION_HEARTBEAT = compared("session.heartbeat", millis(10, 60), "2s");
    static final Setting<Duration> SESSION_FENCE = compared("session.fence", millis(1000, 3600), "20s");
    static final Setting<Duration> SESSION_FENCE_GRACE = add("session.fence-grace", millis(1, 3600), null);
    static final Setting<Duration> SESSION_TIMEOUT = compared("session.timeout", millis(1500, 7200), "30s");

    static final Setting<Duration> SCHEDULER_HORIZON = add("scheduler.horizon", millis(100, 3600), "30s");
    static final Setting<Duration> SCHEDULER_TAKEOVER = compared("scheduler.takeover", millis(10, 600), "1s");
    static final Setting<Integer> SCHEDULER_PREPARED_LIMIT =
            add("scheduler.prepared-limit", whole(1, 1_000_000), "10000");
    static final Setting<Integer> SCHEDULER_BATCH = add("scheduler.batch", whole(1, 10_000), "500");

    static final Setting<String> SCHEDULE_ZONE = compared("schedule.zone", zone(), "UTC");

    static final Setting<Duration> MISFIRE_THRESHOLD =
            compared("misfire.threshold", duration(Duration.ofSeconds(1), Duration.ofDays(365)), "60s");

    static final Setting<Integer> RECOVERY_MAX_LOST = compared("recovery.max-lost", whole(0, 1000), "3");
    static final Setting<Duration> RECOVERY_BACKOFF = compared("recovery.backoff", duration(Duration.ZERO, DAY), "1s");

    static final Setting<Config.Spawn> EXEC_SPAWN = add("exec.spawn", oneOf(Config.Spawn.class), "AUTO");

    static final Setting<Long> OUTPUT_MAX_BYTES = compared("output.max-bytes", size("64KiB", "10GiB"), "10MiB");
    static final Setting<Long> OUTPUT_HEAD_BYTES = compared("output.head-bytes", size("0", "4MiB"), "64KiB");
    static final Setting<Long> OUTPUT_TAIL_BYTES = compared("output.tail-bytes", size("0", "4MiB"), "64KiB");

    static final Setting<String> SECRETS_KEY_FILE = add("secrets.key-file", path(), null);
    static final Setting<String> SECRETS_KEY = clusterSecret("secrets.key", text(KEY, BASE64));
    static final Setting<List<String>> SECRETS_PREVIOUS_KEYS =
            clusterSecret("secrets.previous-keys", list("a list of keys, each " + KEY, BASE64));
    static final Setting<List<String>> SECRETS_FILES = add("secrets.files", paths(), "[]");
    static final Setting<List<String>> SECRETS_ENV = add(
            "secrets.env",
            list(
                    "a list of names of variables, such as [DB_PASSWORD], or text with commas",
                    "[A-Za-z_][A-Za-z0-9_]{0,254}"),
            "[]");

    static final Setting<Duration> HISTORY_RETENTION = longest("history.retention", kept(), "30d");
    static final Setting<Integer> HISTORY_VERSIONS = longest("history.versions", whole(1, 1_000_000), "100");
    static final Setting<Duration> HISTORY_AUDIT = longest("history.audit", kept(), "365d");

    static final Setting<List<String>> ALERTS_ALLOW_INTERNAL = compared(
            "alerts.allow-internal",
            list(
                    "a list of addresses, ranges and host names, such as [127.0.0.1, 10.0.0.0/8], or text with commas",
                    "[A-Za-z0-9.:_-]{1,255}(/\\d{1,3})?"),
            "[]");
    static final Setting<Map<String, String>> ALERTS_COMMANDS = add("alerts.commands", commands(), "{}");

    static final Setting<String> SMTP_HOST =
            add("smtp.host", text("an IP address or a host name, without a port", "[A-Za-z0-9.:%_-]{1,255}"), null);
    static final Setting<Integer> SMTP_PORT = add("smtp.port", whole(1, 65535), "587");
    static final Setting<Config.MailSecurity> SMTP_SECURITY =
            add("smtp.security", oneOf(Config.MailSecurity.class), "STARTTLS");
    static final Setting<String> SMTP_USER = add("smtp.user", text("the name of an account in one line", ANY), null);
    static final Setting<String> SMTP_PASSWORD =
            secret("smtp.password", text("a password in one line, in YAML in quotes, such as \"0123\"", ANY));
    static final Setting<String> SMTP_FROM = add(
            "smtp.from",
            text("an address such as rowlock@example.com", "[^\\p{Cntrl}\\s<>@]+@[^\\p{Cntrl}\\s<>@]+"),
            null);

    static final Setting<String> PING_URL = secret(
            "ping.url",
            text(
                    "a URL that begins with https:// or http://, such as https://hc-ping.com/UUID",
                    "https?://[A-Za-z0-9.\\[\\]:-]{1,255}([/?][A-Za-z0-9._~:/?@!$&'()*+,;=%-]{0,1500})?"));
    static final Setting<Duration> PING_EVERY = compared("ping.every", duration(Duration.ofSeconds(10), DAY), "1m");

    static final Setting<Duration> SHUTDOWN_GRACE = add("shutdown.grace", duration(Duration.ZERO, DAY), "30s");

    static final Setting<Config.MetricsAccess> METRICS_ACCESS =
            add("metrics.access", word(Config.MetricsAccess.class), "token");
    static final Setting<String> METRICS_TOKEN = clusterSecret(
            "metrics.token",
            text("8 to 256 printable ASCII characters without spaces; in YAML, in quotes", "[\\x21-\\x7e]{8,256}"));

    static final Setting<String> OTEL_ENDPOINT = add(
            "otel.endpoint",
            text(
                    "a URL that begins with http:// or https://, such as http://127.0.0.1:4318",
                    "https?://[A-Za-z0-9.:%_\\[\\]-]{1,255}(/[!-~]{0,1000})?"),
            null);

    static final Setting<Config.LogFormat> LOG_FORMAT = add("log.format", word(Config.LogFormat.class), "text");

    private Settings() {}

    static List<Setting<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }

    private static SettingType<Duration> millis(int min, int maxSeconds) {
        return duration(Duration.ofMillis(min), Duration.ofSeconds(maxSeconds));
    }

    /** Accepts a retention of at least an hour: 30s in place of 30d would delete history for good. */
    private static SettingType<Duration> kept() {
        return durationOrNone(Duration.ofHours(1), Duration.ofDays(36_500));
    }

    private static <T> Setting<T> secret(String key, SettingType<T> type) {
        return declared(key, type, null, true, Scope.OWN);
    }

    private static <T> Setting<T> clusterSecret(String key, SettingType<T> type) {
        return declared(key, type, null, true, Scope.CLUSTER);
    }

    private static <T> Setting<T> add(String key, SettingType<T> type, @Nullable String standard) {
        return declared(key, type, standard, false, Scope.OWN);
    }

    private static <T> Setting<T> compared(String key, SettingType<T> type, @Nullable String standard) {
        return declared(key, type, standard, false, Scope.COMPARED);
    }

    private static <T> Setting<T> longest(String key, SettingType<T> type, @Nullable String standard) {
        return declared(key, type, standard, false, Scope.LONGEST);
    }

    private static <T> Setting<T> declared(
            String key, SettingType<T> type, @Nullable String standard, boolean secret, Scope scope) {
        Setting<T> setting = new Setting<>(key, type, standard, secret, scope);
        DECLARED.add(setting);
        return setting;
    }
}
