package dev.rowlock.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Tree that a text says, and the place of each of its parts there.
 *
 * @param places by path, as the API writes it: {@code env.PATH}, {@code successExitCodes[1]}; the empty one is the
 *     whole, and is always there
 */
public record Located(JsonNode tree, Map<String, Position> places) {

    /** Place in a text that somebody wrote; lines and columns count from 1. */
    public record Position(String file, int line, int column) {

        /** Returns it as compilers write it, so that editors lead there. */
        @Override
        public String toString() {
            return file + ":" + line + ":" + column;
        }
    }

    /** Returns the place of a part; of one that is not there, the place where it would belong. */
    public Position at(String path) {
        String known = path;
        while (!places.containsKey(known)) {
            known = known.substring(0, Math.max(0, Math.max(known.lastIndexOf('.'), known.lastIndexOf('['))));
        }
        return Objects.requireNonNull(places.get(known));
    }

    /** Returns a part, with its own parts. */
    public Located part(JsonNode of, String path) {
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

    public static String field(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    public static String element(String path, int i) {
        return path + "[" + i + "]";
    }
}
