package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.Place;
import dev.rowlock.field.Suggestion;
import dev.rowlock.schedule.FinishBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Field types of how a command is run. */
final class RunFieldTypes {

    private static final int MAX_COMMAND = 64 * 1024;
    /**
     * Form of a user, also of a directory service, such as {@code DOMAIN\name}; nothing that a program could take for
     * an option.
     */
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@+\\\\-]{0,254}\\$?");

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final Pattern UID = Pattern.compile("0|[1-9][0-9]{0,9}");
    /** Highest number that is not "none" to the kernel. */
    private static final long MAX_UID = 0xFFFF_FFFEL;

    private static final Pattern UMASK = Pattern.compile("0?[0-7]{1,3}");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18}) ?(?:([KMGT])(?:i?B)?|B)?");
    private static final String UNITS = "KMGT";
    private static final long MIN_MEMORY = 16L << 20;
    private static final long MAX_MEMORY = 64L << 40;

    private RunFieldTypes() {}

    /** Accepts a deadline for the end of an occurrence. */
    static FieldType<FinishBy> finishBy() {
        return FieldType.written(
                "a time of day such as `06:00`, or a duration",
                "06:00",
                (text, place) -> FinishBy.parse(text)
                        .orElseGet(
                                () -> place.refuse("must be a time of day such as 06:00, or a duration after the fire"
                                        + " time from 1s to 30d, such as 2h, not '" + text + "'")),
                FinishBy::text);
    }

    /** Accepts a script, or a list of arguments; {@link #check} sees whether that goes with the shell. */
    static FieldType<Command> command() {
        FieldType<String> text = FieldType.text(MAX_COMMAND);
        return new FieldType<>(
                        "text of at most " + MAX_COMMAND + " bytes; with `shell` `none` a list of texts",
                        (value, place) -> {
                            if (value.isArray()) {
                                return arguments(value, place);
                            }
                            String script = text.read(value, place);
                            return script == null ? null : Command.of(script);
                        },
                        RunFieldTypes::json)
                .shown(Map.of(
                        "type",
                        List.of("string", "array"),
                        "maxLength",
                        MAX_COMMAND,
                        "items",
                        Map.of("type", "string")));
    }

    private static @Nullable Command arguments(JsonNode value, Place place) {
        List<String> arguments = new ArrayList<>();
        int left = MAX_COMMAND;
        for (int i = 0; i < value.size(); i++) {
            String argument = FieldType.text(value.get(i), MAX_COMMAND, place.element(i));
            if (argument == null) {
                return null; // it has been said
            }
            left -= argument.length() + 1;
            arguments.add(argument);
        }
        if (left < 0) {
            return place.refuse("must have at most " + MAX_COMMAND + " characters in all");
        }
        return arguments.isEmpty() || arguments.get(0).isBlank()
                ? place.refuse("must begin with a program, such as [\"/usr/bin/rsync\", \"-a\", \"/srv\", \"/backup\"]")
                : Command.of(arguments);
    }

    private static JsonNode json(Command command) {
        if (command.text() != null) {
            return TextNode.valueOf(command.text());
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        command.arguments().forEach(list::add);
        return list;
    }

    static FieldType<String> user() {
        FieldType<String> text = FieldType.text(256);
        return new FieldType<>(
                        "a name or a number",
                        (value, place) -> {
                            String user = value.isIntegralNumber() ? value.asText() : text.read(value, place);
                            String problem = user == null ? null : userProblem(user);
                            return problem == null ? user : place.refuse(problem);
                        },
                        TextNode::valueOf)
                .shown(Map.of("type", List.of("string", "integer"), "maxLength", 256));
    }

    private static @Nullable String userProblem(String user) {
        if (NUMBER.matcher(user).matches()) {
            return UID.matcher(user).matches() && Long.parseLong(user) <= MAX_UID
                    ? null
                    : "must be a user's number from 0 to " + MAX_UID + ", without leading zeros, or a name";
        }
        return USER.matcher(user).matches()
                ? null
                : "'" + user + "' is not the name of a user: letters, digits, dots, underscores and hyphens";
    }

    static FieldType<String> umask() {
        return FieldType.written(
                        "octal digits such as `\"027\"`",
                        "027",
                        (umask, place) -> UMASK.matcher(umask).matches()
                                ? umask
                                : place.refuse("must be octal digits from \"000\" to \"777\", such as \"027\""),
                        umask -> umask)
                .shown(Map.of("type", "string", "pattern", "^" + UMASK.pattern() + "$"));
    }

    static FieldType<CommandShell> shell() {
        List<String> words =
                Arrays.stream(CommandShell.values()).map(CommandShell::word).toList();
        return FieldType.written(
                        words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", ")),
                        words.get(0),
                        (text, place) -> words.contains(text)
                                ? CommandShell.valueOf(text.toUpperCase(Locale.ROOT))
                                : place.refuse("'" + text + "' is not one of " + String.join(", ", words)
                                        + Suggestion.of(text, words)),
                        CommandShell::word)
                .shown(Map.of("type", "string", "enum", words));
    }

    /** Accepts a number of bytes. */
    static FieldType<Long> memory() {
        String range = "from 16MiB to 64TiB";
        FieldType<String> text = FieldType.text(100);
        return new FieldType<>(
                        "a size " + range,
                        (value, place) -> {
                            String size = value.isIntegralNumber() ? value.asText() : text.read(value, place);
                            if (size == null) {
                                return null;
                            }
                            Long bytes = bytes(size);
                            if (bytes == null) {
                                return place.refuse(
                                        "'" + size + "' is not a size; write it like 512MiB, 2GiB, or in bytes");
                            }
                            return bytes < MIN_MEMORY || bytes > MAX_MEMORY
                                    ? place.refuse(
                                            "must be " + range + ", not " + size,
                                            TextNode.valueOf(bytes < MIN_MEMORY ? "16MiB" : "64TiB"))
                                    : bytes;
                        },
                        bytes -> TextNode.valueOf(size(bytes)))
                .shown(Map.of("type", List.of("string", "integer"), "examples", List.of("512MiB")));
    }

    /** Parses a size; null if it is none. */
    private static @Nullable Long bytes(String text) {
        Matcher matcher = SIZE.matcher(text.strip().replaceFirst("^-", ""));
        if (!matcher.matches()) {
            return null;
        }
        if (text.strip().startsWith("-")) {
            return -1L;
        }
        long count = Long.parseLong(matcher.group(1));
        int shift = matcher.group(2) == null ? 0 : 10 * (UNITS.indexOf(matcher.group(2)) + 1);
        return count > MAX_MEMORY >> shift ? Long.valueOf(Long.MAX_VALUE) : Long.valueOf(count << shift);
    }

    /** Returns a size in the largest unit that divides it. */
    static String size(long bytes) {
        for (int unit = UNITS.length(); unit > 0; unit--) {
            if (bytes % (1L << (10 * unit)) == 0) {
                return (bytes >> (10 * unit)) + "" + UNITS.charAt(unit - 1) + "iB";
            }
        }
        return Long.toString(bytes);
    }

    /** Checks that a list comes without a shell, and a text with one. */
    static void check(Command command, CommandShell shell, Place whole) {
        boolean isList = command.text() == null;
        if (isList && shell != CommandShell.NONE) {
            whole.field("command")
                    .refuse("a list of arguments needs shell none; with shell " + shell.word() + " write it as a text");
        } else if (!command.isBlank() && !isList && shell == CommandShell.NONE) {
            whole.field("command")
                    .refuse("must be a list with shell none, such as [\"/usr/bin/rsync\", \"-a\", \"/srv\"]; a text"
                            + " needs shell bash or sh");
        }
    }
}
