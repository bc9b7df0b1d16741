package dev.rowlock.alert;

import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.AlertFieldTypes;
import dev.rowlock.definition.Names;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.FieldType;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.field.Place;
import dev.rowlock.field.Suggestion;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Destination of messages, and how they get there.
 *
 * @param destination a URL; addresses with commas between them; or the name of a command in the configuration
 * @param secrets what messages are signed with; null: as they are stored
 */
public record AlertChannel(
        Type type,
        String destination,
        String description,
        @Nullable List<String> secrets) {

    /** Type of a channel. */
    public enum Type {
        WEBHOOK,
        SLACK,
        EMAIL,
        COMMAND;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String DESTINATION = "destination";
    private static final String SECRETS = "secrets";
    private static final String SIGNED = "signed";
    private static final String SECRET = "whsec_";
    private static final String HIDDEN = "/***";
    private static final int MOST_ADDRESSES = 20;
    private static final Pattern ADDRESS =
            Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?");

    public static final FieldTable<AlertChannel> TABLE = new FieldTable<>(
            "a channel",
            AlertChannel.class,
            List.of(
                    required("type", typeWord(), Type.WEBHOOK, "webhook, slack, email or command"),
                    required(
                            DESTINATION,
                            FieldType.text(2_000).meant(text -> text.isBlank() ? null : text.strip()),
                            "",
                            "a URL, e-mail addresses, or the name of a command in alerts.commands"),
                    optional("description", FieldType.text(500), "", "a note for people"),
                    optional(
                            SECRETS,
                            AlertFieldTypes.secrets(AlertChannel::secretProblem),
                            null,
                            "what a webhook is signed with; `null`: what is stored")),
            List.of("name", SIGNED, "createdAt", "updatedAt"));

    /** @throws InvalidDefinition with everything that is wrong */
    public static AlertChannel parse(ObjectNode sent) {
        Place whole = new Place("", new ArrayList<>());
        TABLE.refuseUnknown(sent, Set.of(), whole);
        int problems = whole.problems().size();
        AlertChannel read = TABLE.read(sent, whole);
        if (whole.problems().size() == problems) {
            read.check(whole);
        }
        InvalidDefinition.throwIfAny(whole.problems());
        return read;
    }

    /**
     * Reads a stored channel.
     *
     * @param shown as {@link #shown} has it
     * @param secret as {@link #secret} has it; null: it is not known here, or there is nothing secret
     */
    public static AlertChannel stored(ObjectNode shown, @Nullable ObjectNode secret) {
        AlertChannel read = TABLE.read(shown, new Place("", new ArrayList<>()));
        if (secret == null) {
            return new AlertChannel(read.type, read.destination, read.description, null);
        }
        List<String> secrets = new ArrayList<>();
        secret.path(SECRETS).forEach(one -> secrets.add(one.asText()));
        return new AlertChannel(read.type, secret.path(DESTINATION).asText(), read.description, List.copyOf(secrets));
    }

    /** Returns this channel with other secrets. */
    public AlertChannel with(List<String> others) {
        return new AlertChannel(type, destination, description, others);
    }

    /** Returns the channel for people: a URL may let whoever has it write there, so all but its host is left out. */
    public ObjectNode shown() {
        ObjectNode json = TABLE.write(this);
        json.remove(SECRETS);
        json.put(DESTINATION, shownDestination());
        return json.put(SIGNED, isSigned());
    }

    /** Returns what {@link #shown} leaves out, to be encrypted; null if nothing. */
    public @Nullable ObjectNode secret() {
        if (!isSigned() && shownDestination().equals(destination)) {
            return null;
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode().put(DESTINATION, destination);
        ArrayNode list = json.putArray(SECRETS);
        if (secrets != null) {
            secrets.forEach(list::add);
        }
        return json;
    }

    private boolean isSigned() {
        return secrets != null && !secrets.isEmpty();
    }

    private String shownDestination() {
        if (type != Type.WEBHOOK && type != Type.SLACK) {
            return destination;
        }
        URI url = URI.create(destination);
        boolean bare = url.getRawQuery() == null && url.getRawPath().length() <= 1;
        return bare ? destination : url.getScheme() + "://" + url.getRawAuthority() + HIDDEN;
    }

    private void check(Place whole) {
        if (destination.endsWith(HIDDEN)) {
            whole.field(DESTINATION).refuse("is as it was shown, without its secret part; send all of it");
            return;
        }
        String problem = switch (type) {
            case WEBHOOK, SLACK -> AlertFieldTypes.urlProblem(destination);
            case EMAIL -> addressProblem();
            case COMMAND ->
                Names.problem(destination, 64) == null
                        ? null
                        : "must be the name of a command in alerts.commands of the nodes' configuration";
        };
        if (problem != null) {
            whole.field(DESTINATION).refuse(problem);
        }
        if (type != Type.WEBHOOK && secrets != null && !secrets.isEmpty()) {
            whole.field(SECRETS).refuse("only a webhook is signed; leave them out");
        }
    }

    private @Nullable String addressProblem() {
        List<String> all = addresses();
        if (all.size() > MOST_ADDRESSES) {
            return "must be at most " + MOST_ADDRESSES + " addresses; make a list on the mail server";
        }
        return all.stream()
                .filter(address -> !ADDRESS.matcher(address).matches())
                .findFirst()
                .map(address -> "'" + address + "' is not an e-mail address such as ops@example.com")
                .orElse(null);
    }

    /** Returns the recipients of e-mail. */
    public List<String> addresses() {
        return List.of(destination.split("\\s*,\\s*", -1));
    }

    static @Nullable String secretProblem(String secret) {
        String words =
                "must be " + SECRET + " and base64 of 24 to 64 random bytes, as openssl rand -base64 32 makes it";
        try {
            int bytes = secret.startsWith(SECRET) ? key(secret).length : 0;
            return bytes < 24 || bytes > 64 ? words : null;
        } catch (IllegalArgumentException e) {
            return words;
        }
    }

    /** Decodes a secret into its key. */
    public static byte[] key(String secret) {
        return Base64.getDecoder().decode(secret.substring(SECRET.length()));
    }

    private static FieldType<Type> typeWord() {
        List<String> all = List.of(Type.values()).stream().map(Type::word).toList();
        return FieldType.written(
                        "`webhook`, `slack`, `email` or `command`",
                        "webhook",
                        (text, place) -> all.contains(text)
                                ? Type.valueOf(text.toUpperCase(Locale.ROOT))
                                : place.refuse("'" + text + "' is not one of " + String.join(", ", all)
                                        + Suggestion.of(text, all)),
                        Type::word)
                .shown(Map.of("type", "string", "enum", all));
    }
}
