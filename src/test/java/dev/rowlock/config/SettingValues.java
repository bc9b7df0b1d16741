package dev.rowlock.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The outermost values of each setting, and what has to be set with them: for those who walk all settings. */
public final class SettingValues {

    private static final Pattern RANGE =
            Pattern.compile("(0, or )?a (?:whole number|duration|size) from (\\S+) to" + " ([^\\s,]+).*");
    private static final Pattern CHOICE = Pattern.compile("[A-Za-z_]+( or [A-Za-z_]+)+");

    /** Of what is no range and no choice. */
    private static final Map<String, List<String>> OTHERS = others();

    /** By setting and value, or by setting alone: what else has to be set, so that the value fits. */
    private static final Map<String, String> COMPANIONS = Map.ofEntries(
            Map.entry("database.url", "database.user=u"),
            Map.entry("http.host 0.0.0.0", "http.allow-plaintext=true"),
            Map.entry("http.tls.certificate", "http.tls.key=k.pem"),
            Map.entry("http.tls.key", "http.tls.certificate=c.pem"),
            Map.entry("signin.max-age 1m", "signin.idle-timeout=1m"),
            Map.entry("signin.idle-timeout 365d", "signin.max-age=365d"),
            Map.entry("session.heartbeat 1m", "session.fence=5m session.timeout=10m"),
            Map.entry("session.fence 1s", "session.heartbeat=200ms"),
            Map.entry("session.fence 1h", "session.timeout=2h"),
            Map.entry("session.timeout 1s500ms", "session.heartbeat=200ms session.fence=1s"),
            Map.entry("session.fence-grace 1h", "session.fence=1h session.timeout=2h"),
            Map.entry("scheduler.takeover 10m", "misfire.threshold=20m"),
            Map.entry("misfire.threshold 1s", "scheduler.takeover=500ms"),
            Map.entry("output.max-bytes 64KiB", "output.head-bytes=16KiB output.tail-bytes=16KiB"),
            Map.entry("output.head-bytes 4MiB", "output.max-bytes=10MiB"),
            Map.entry("output.tail-bytes 4MiB", "output.max-bytes=10MiB"),
            Map.entry("smtp.host", "smtp.from=a@example.com"),
            Map.entry("smtp.port", "smtp.host=127.0.0.1 smtp.from=a@example.com"),
            Map.entry("smtp.security", "smtp.host=127.0.0.1 smtp.from=a@example.com"),
            Map.entry("smtp.from", "smtp.host=127.0.0.1"),
            Map.entry("smtp.user", "smtp.host=127.0.0.1 smtp.from=a@example.com smtp.password=p"),
            Map.entry("smtp.password", "smtp.host=127.0.0.1 smtp.from=a@example.com smtp.user=u"));

    private static final String OIDC = "oidc.issuer=http://127.0.0.1:1 oidc.client-id=a oidc.client-secret=b"
            + " oidc.redirect-url=https://r.example/signin/callback oidc.roles=ops=viewer";

    private SettingValues() {}

    /**
     * One outermost value.
     *
     * @param environment the variables with which it fits
     */
    public record Case(String key, String value, Map<String, String> environment) {

        /** Its settings of {@code session}, {@code scheduler}, {@code misfire} or {@code node}, which a node goes by. */
        public boolean isOfTheEngine() {
            return key.matches("(session|scheduler|misfire|history)\\..*|node\\.capacity");
        }

        @Override
        public String toString() {
            return key + "=" + (value.length() > 40 ? value.substring(0, 40) + "…" : value);
        }
    }

    /** All of them, in the order of the settings. */
    public static List<Case> all() {
        return Settings.all().stream()
                .flatMap(setting -> values(setting).stream().map(value -> of(setting.key(), value)))
                .toList();
    }

    /** How a node is told of a setting. */
    public static String variable(String key) {
        return Setting.variable(key);
    }

    private static Case of(String key, String value) {
        Map<String, String> environment = new TreeMap<>();
        String companions = key.startsWith("oidc.")
                ? OIDC
                : COMPANIONS.getOrDefault(key + " " + value, COMPANIONS.getOrDefault(key, ""));
        for (String companion : companions.isEmpty() ? new String[0] : companions.split(" ", -1)) {
            String[] parts = companion.split("=", 2);
            environment.put(Setting.variable(parts[0]), parts[1]);
        }
        if (key.equals("oidc.client-secret-file")) {
            environment.remove("ROWLOCK_OIDC_CLIENT_SECRET");
        }
        environment.put(Setting.variable(key), value);
        return new Case(key, value, environment);
    }

    private static List<String> values(Setting<?> setting) {
        String allowed = setting.type().allowed();
        Matcher range = RANGE.matcher(allowed);
        if (range.matches()) {
            List<String> ends = new ArrayList<>(List.of(range.group(2), range.group(3)));
            if (range.group(1) != null) {
                ends.add(0, "0");
            }
            return ends;
        }
        return CHOICE.matcher(allowed).matches()
                ? List.of(allowed.split(" or ", -1))
                : OTHERS.getOrDefault(setting.key(), List.of());
    }

    private static Map<String, List<String>> others() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("database.url", List.of("jdbc:mysql://h/d"));
        values.put("database.user", List.of("u", "u".repeat(80)));
        values.put("database.password", List.of(" ", "ä'\"\\ #"));
        values.put("http.host", List.of("127.0.0.1", "0.0.0.0", "::1"));
        values.put("http.tls.certificate", List.of("c.pem"));
        values.put("http.tls.key", List.of("k.pem"));
        values.put("http.allowed-hosts", List.of("a", "a.example,[::1]"));
        values.put("http.public-url", List.of("http://r", "https://" + "r".repeat(500)));
        values.put("data.dir", List.of("d", "a b/d"));
        values.put("node.name", List.of("n", "n".repeat(64)));
        values.put("node.labels", List.of("a=", labels(60)));
        values.put("admin.token", List.of("12345678", "~".repeat(256)));
        values.put("oidc.issuer", List.of("http://127.0.0.1:1"));
        values.put("oidc.client-id", List.of("c", "c".repeat(1000)));
        values.put("oidc.client-secret", List.of("c", "c".repeat(1000)));
        values.put("oidc.client-secret-file", List.of("secret"));
        values.put("oidc.redirect-url", List.of("https://r.example/signin/callback"));
        values.put("oidc.scopes", List.of("openid", "openid,groups"));
        values.put("oidc.groups-claim", List.of("g", "g".repeat(1000)));
        values.put("oidc.roles", List.of("a=viewer", "a=admin;b=editor:x,y"));
        values.put("schedule.zone", List.of("UTC", "Pacific/Kiritimati", "Etc/GMT+12"));
        values.put("secrets.key-file", List.of("keys"));
        values.put("secrets.key", List.of("a".repeat(43) + "="));
        values.put(
                "secrets.previous-keys", List.of("b".repeat(43) + "=", "b".repeat(43) + "=," + "c".repeat(43) + "="));
        values.put("secrets.files", List.of("/", "/run/secrets,/etc/a b"));
        values.put("secrets.env", List.of("A", "A,_b"));
        values.put("alerts.allow-internal", List.of("::1", "127.0.0.1,10.0.0.0/8,h.example"));
        values.put("alerts.commands", List.of("a=true", "a=true,b=" + "x".repeat(4096)));
        values.put("smtp.host", List.of("127.0.0.1", "mail.example"));
        values.put("smtp.user", List.of("u"));
        values.put("smtp.password", List.of("p"));
        values.put("smtp.from", List.of("a@b"));
        values.put("ping.url", List.of("http://127.0.0.1:1/" + "p".repeat(1400)));
        values.put("metrics.token", List.of("12345678", "~".repeat(256)));
        values.put("otel.endpoint", List.of("http://127.0.0.1:1"));
        return values;
    }

    private static String labels(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> "label-" + i + "=" + "v".repeat(63))
                .collect(Collectors.joining(","));
    }
}
