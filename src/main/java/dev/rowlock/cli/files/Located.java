package dev.rowlock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a text says, and where it says each part of it.
 *
 * @param places by path, as the API writes it: {@code env.PATH}, {@code successExitCodes[1]}; the empty one is the
 *     whole, and is always there
 */
public record Located(JsonNode tree, Map<String, Position> places) {

    /** Where a part stands; of one that is not there, where it would belong. */
    public Position at(String path) {
        String known = path;
        while (!places.containsKey(known)) {
            known = known.substring(0, Math.max(0, Math.max(known.lastIndexOf('.'), known.lastIndexOf('['))));
        }
        return Objects.requireNonNull(places.get(known));
    }

    /** A part, with its own parts. */
    Located part(JsonNode of, String path) {
        Map<String, Position> within = new HashMap<>();
        places.forEach((place, at) -> {
            if (place.equals(path)) {
                within.put("", at);
            } else if (place.startsWith(path + ".") || place.startsWith(path + "[")) {
                within.put(place.substring(path.length() + (place.charAt(path.length()) == '.' ? 1 : 0)), at);
            }
        });
        within.putIfAbsent("", at(path));
        return new Located(of, within);
    }

    static String field(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static String element(String path, int i) {
        return path + "[" + i + "]";
    }
}
