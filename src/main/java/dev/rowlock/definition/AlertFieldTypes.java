package dev.rowlock.definition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.field.FieldType;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Field types of alerts and pings. */
public final class AlertFieldTypes {

    private static final int LONGEST_URL = 2_000;

    /** End of a host that programs take for an IPv4 address, and not all for the same one. */
    private static final Pattern NUMBER = Pattern.compile("(?:.*\\.)?(?:\\d+|0[xX][0-9a-fA-F]*)\\.?");

    private static final Pattern ADDRESS = Pattern.compile("(?:0|[1-9]\\d{0,2})(?:\\.(?:0|[1-9]\\d{0,2})){3}");

    private AlertFieldTypes() {}

    /** Accepts a list without duplicates. */
    public static <T> FieldType<List<T>> list(String of, int most, FieldType<T> type) {
        return new FieldType<>(
                        "a list of " + of,
                        (value, place) -> {
                            if (!value.isArray() || value.size() > most) {
                                return place.refuse("must be a list of at most " + most + " " + of);
                            }
                            Set<T> all = new LinkedHashSet<>();
                            for (int i = 0; i < value.size(); i++) {
                                T element = type.read(value.get(i), place.element(i));
                                if (element != null && !all.add(element)) {
                                    place.element(i).refuse("is there twice");
                                }
                            }
                            return List.copyOf(all);
                        },
                        list -> array(type, list))
                .shown(Map.of("type", "array", "maxItems", most, "items", type.schema()));
    }

    private static <T> ArrayNode array(FieldType<T> type, Collection<T> list) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        list.forEach(element -> array.add(type.write(element)));
        return array;
    }

    public static <E extends Enum<E>> FieldType<List<E>> words(Class<E> type) {
        return list("words", type.getEnumConstants().length, FieldType.word(type));
    }

    /** Accepts a URL for one or several HTTP requests. */
    static FieldType<String> url() {
        return FieldType.text(LONGEST_URL).checked("a URL of HTTP", AlertFieldTypes::urlProblem);
    }

    /** Returns what is wrong with a URL; null if nothing is. Whether it may be reached is for the sender to decide. */
    public static @Nullable String urlProblem(String text) {
        try {
            URI url = new URI(text.replace(Ping.EXIT_CODE, "0"));
            String scheme = url.getScheme();
            if (scheme == null || !(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
                return "must begin with https:// or http://";
            }
            if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65_535) {
                return "must name a host, and a port from 1 to 65535 if any, such as https://hooks.example.com/rowlock";
            }
            if (NUMBER.matcher(url.getHost()).matches()
                    && !ADDRESS.matcher(url.getHost()).matches()) {
                return "must write an address as four numbers without leading zeros, such as 192.0.2.7";
            }
            if (url.getRawUserInfo() != null) {
                return "must not carry a user or a password";
            }
            return url.getRawFragment() == null ? null : "must not have a fragment (#): it would not be sent";
        } catch (URISyntaxException e) {
            return "is not a URL: " + e.getReason();
        }
    }

    /** Accepts the name of something that is made with PUT. */
    public static FieldType<String> reference() {
        return JobFieldTypes.name(64);
    }

    /**
     * Accepts a list of texts that may not be shown.
     *
     * @param problem says what is wrong with one; null: nothing is
     */
    public static FieldType<List<String>> secrets(Function<String, @Nullable String> problem) {
        FieldType<String> secret = FieldType.text(200).checked("a secret", problem);
        FieldType<List<String>> list = list("secrets", 5, secret);
        return new FieldType<List<String>>(list.words(), list::read, all -> array(masked(), new ArrayList<>(all)))
                .shown(list.schema());
    }

    private static FieldType<String> masked() {
        return new FieldType<>("", (value, place) -> null, text -> TextNode.valueOf("***"));
    }
}
