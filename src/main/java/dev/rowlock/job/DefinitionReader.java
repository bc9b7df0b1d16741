package dev.rowlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.schedule.DaylightSaving;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a definition from what a person sent: every rule of every field. */
final class DefinitionReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._/-]{1,63}");
    private static final int COMMAND_BYTES = 64 * 1024;
    private static final int VALUE_BYTES = 32 * 1024;
    private static final int DESCRIPTION_BYTES = 4 * 1024;
    private static final int PATH_BYTES = 4 * 1024;

    private final Fields fields;

    DefinitionReader(ObjectNode node) {
        this.fields = new Fields(node);
    }

    /** What is acceptable of it, with defaults for the rest; {@link #problems} then says what is not. */
    JobDefinition read() {
        fields.refuseUnknown("a job", DefinitionJson.KNOWN);
        refuseWhatIsNotSupported();
        Instant startAt = fields.instant("startAt");
        Instant endAt = endAt(startAt);
        ZoneId zone = ScheduleFields.zone(fields);
        DaylightSaving rule = ScheduleFields.daylightSaving(fields);
        return new JobDefinition(
                new JobKey(name("namespace", 64, "default"), name("name", 128, null)),
                orEmpty(fields.text("description", DESCRIPTION_BYTES)),
                fields.map("labels", 4 * 63, DefinitionReader::labelProblem),
                ScheduleFields.schedule(fields, zone, rule, startAt),
                zone,
                rule,
                command(),
                workdir(),
                fields.map("env", VALUE_BYTES, (name, value) -> variableProblem(name)),
                null,
                fields.duration("timeout", Duration.ofSeconds(1), Duration.ofDays(365)),
                killGrace(),
                null,
                onlyOne("overlap", Overlap.class, Overlap.SKIP),
                onlyOne("misfire", Misfire.class, Misfire.RUN_ONCE),
                null,
                fields.word("onLost", OnLost.class, OnLost.RERUN),
                priority(),
                Map.of(),
                broadcast(),
                startAt,
                endAt,
                null,
                Set.copyOf(fields.numbers("successExitCodes", 0, 255, 0)),
                fields.flag("paused", false));
    }

    List<FieldProblem> problems() {
        return fields.problems();
    }

    /** The name of a namespace or a job. */
    static @Nullable String nameProblem(String name, int max) {
        if (name.isEmpty() || name.length() > max || !NAME.matcher(name).matches()) {
            return "must be 1 to " + max + " characters of A-Z, a-z, 0-9, dot, underscore and hyphen";
        }
        return name.equals(".") || name.equals("..")
                ? "must not be '" + name + "': it could not stand in a path"
                : null;
    }

    static boolean isLabel(String key) {
        return LABEL.matcher(key).matches();
    }

    private String name(String field, int max, @Nullable String otherwise) {
        String name = fields.text(field, 4 * max);
        if (name == null) {
            if (otherwise == null && fields.value(field) == null) {
                fields.refuse(field, "is required");
            }
            return otherwise == null ? "" : otherwise;
        }
        String problem = nameProblem(name, max);
        if (problem != null) {
            fields.refuse(field, problem);
        }
        return name;
    }

    private @Nullable Instant endAt(@Nullable Instant startAt) {
        Instant endAt = fields.instant("endAt");
        if (startAt != null && endAt != null && !startAt.isBefore(endAt)) {
            fields.refuse("endAt", "must be later than startAt");
        }
        return endAt;
    }

    private String command() {
        String command = fields.text("command", COMMAND_BYTES);
        if (command == null ? fields.value("command") == null : command.isBlank()) {
            fields.refuse("command", "is required: what bash is to execute");
        }
        return orEmpty(command);
    }

    private @Nullable String workdir() {
        String workdir = fields.text("workdir", PATH_BYTES);
        if (workdir != null && !workdir.startsWith("/")) {
            fields.refuse("workdir", "must be an absolute path");
        }
        return workdir;
    }

    private Duration killGrace() {
        Duration grace = fields.duration("killGrace", Duration.ZERO, Duration.ofMinutes(10));
        return grace == null ? Duration.ofSeconds(10) : grace;
    }

    private int priority() {
        int priority = fields.number("priority", -100, 100, 0);
        if (priority != 0) {
            fields.refuse("priority", priority + " is not supported yet; allowed: 0");
        }
        return 0;
    }

    private boolean broadcast() {
        if (fields.flag("broadcast", false)) {
            fields.refuse("broadcast", "true is not supported yet; allowed: false");
        }
        return false;
    }

    private <E extends Enum<E>> E onlyOne(String field, Class<E> type, E supported) {
        E word = fields.word(field, type, supported);
        if (word != supported) {
            fields.refuse(field, word + " is not supported yet; allowed: " + supported);
        }
        return supported;
    }

    private void refuseWhatIsNotSupported() {
        for (String field : List.of("user", "retry", "startDeadline", "jitter")) {
            if (fields.value(field) != null) {
                fields.refuse(field, "is not supported yet; leave it out, or null");
            }
        }
        JsonNode nodes = fields.value("nodes");
        if (nodes != null && !(nodes.isObject() && nodes.isEmpty())) {
            fields.refuse("nodes", "is not supported yet; leave it out, or {}");
        }
    }

    private static @Nullable String labelProblem(String key, String value) {
        if (!isLabel(key)) {
            return "a label's name must be 1 to 63 characters of A-Z, a-z, 0-9, dot, underscore, slash and hyphen";
        }
        return value.length() > 63 || value.chars().anyMatch(Character::isISOControl)
                ? "must be at most 63 characters, none of them a control character"
                : null;
    }

    private static @Nullable String variableProblem(String name) {
        if (name.length() > 255 || !VARIABLE.matcher(name).matches()) {
            return "is not the name of a variable: letters, digits and underscores, not beginning with a digit";
        }
        return name.startsWith("ROWLOCK_") ? "variables beginning with ROWLOCK_ are set by Rowlock itself" : null;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
