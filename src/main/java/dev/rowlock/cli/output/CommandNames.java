package dev.rowlock.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Commands in place of the calls that a node's sentences name: its remedies are for all of its clients, and whoever
 * types commands sends no requests.
 */
public final class CommandNames {

    /** Calls, with {@code {}} for each segment of theirs that a command takes. */
    private static final Map<String, String> COMMANDS = Map.ofEntries(
            Map.entry("PUT /api/v1/groups/{}", "group set {}"),
            Map.entry("PUT /api/v1/calendars/{}", "calendar set {}"),
            Map.entry("PUT /api/v1/secrets/{}/{}", "secret set {}/{}"),
            Map.entry("PUT /api/v1/alerts/channels/{}", "channel put {}"),
            Map.entry("PUT /api/v1/alerts/channels", "channel put"),
            Map.entry("GET /api/v1/jobs/{}/{}/versions/{}", "job versions {}/{} {}"),
            Map.entry("POST /api/v1/silences", "silence add"),
            Map.entry("POST /api/v1/jobs/{}/{}/release", "job release {}/{}"),
            Map.entry("POST /api/v1/tasks/{}/kill", "task kill {}"),
            Map.entry("POST /api/v1/cluster/nodes/{}/undrain", "node undrain {}"),
            Map.entry("POST /api/v1/cluster/clock/accept", "clock accept"),
            Map.entry("POST /api/v1/cluster/retention/accept", "retention accept"));

    /** Other words for requests, with those for commands. */
    private static final Map<String, String> WORDS = Map.of(
            "with force=true",
            "with --force",
            "the one named in If-Match",
            "the one named by --if-version",
            "; expected is Authorization: Bearer TOKEN",
            "");

    private static final Map<Pattern, String> REPLACED = replaced();

    private CommandNames() {}

    private static Map<Pattern, String> replaced() {
        Map<Pattern, String> replaced = new LinkedHashMap<>();
        COMMANDS.forEach((call, command) -> {
            String with = command;
            for (int i = 1; with.contains("{}"); i++) {
                with = with.replaceFirst("\\{}", "\\$" + i);
            }
            replaced.put(
                    Pattern.compile(Pattern.quote(call).replace("{}", "\\E([A-Za-z0-9._-]*[A-Za-z0-9_-])\\Q")
                            + "(?![/A-Za-z0-9_-])"),
                    "rowlock " + with);
        });
        return replaced;
    }

    /** Returns a sentence of a node as people at a terminal read it. */
    public static String in(String sentence) {
        String said = sentence;
        for (Map.Entry<String, String> word : WORDS.entrySet()) {
            said = said.replace(word.getKey(), word.getValue());
        }
        if (!said.contains("/api/v1/")) {
            return said;
        }
        for (Map.Entry<Pattern, String> command : REPLACED.entrySet()) {
            said = command.getKey().matcher(said).replaceAll(command.getValue());
        }
        return said;
    }
}
