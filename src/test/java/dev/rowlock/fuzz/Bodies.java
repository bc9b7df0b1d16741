package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes something else of a body: values that do not fit, fields that are not there, text that is no JSON. */
final class Bodies {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Where something else can be put. */
    private record Place(JsonNode parent, String field, int index) {

        void put(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(field, value);
            } else if (parent instanceof ArrayNode array) {
                array.set(index, value);
            }
        }
    }

    private final Words words;

    Bodies(Words words) {
        this.words = words;
    }

    /** The same with one to three values changed. */
    JsonNode changed(JsonNode body, Random random) {
        JsonNode changed = body.deepCopy();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            List<Place> places = new ArrayList<>();
            places(changed, places);
            if (places.isEmpty() || random.nextInt(12) == 0) {
                add(changed, random);
            } else {
                Place place = places.get(random.nextInt(places.size()));
                place.put(other(place.field(), random));
            }
        }
        return changed;
    }

    private static void places(JsonNode node, List<Place> places) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(field -> places.add(new Place(object, field, 0)));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                places.add(new Place(array, "", i));
            }
        }
        node.forEach(child -> places(child, places));
    }

    private void add(JsonNode to, Random random) {
        if (to instanceof ObjectNode object) {
            object.set(words.any(random), other("command", random));
        }
    }

    private JsonNode other(String field, Random random) {
        return switch (random.nextInt(14)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(random.nextBoolean());
            case 2 -> JSON.numberNode(random.nextLong());
            case 3 -> JSON.numberNode(new BigDecimal("1e" + (random.nextInt(1200) - 600)));
            case 4 -> JSON.numberNode(-random.nextInt(3));
            case 5 -> JSON.objectNode();
            case 6 -> JSON.arrayNode();
            case 7 -> many(random);
            case 8 -> nested(1 + random.nextInt(60));
            case 9 -> JSON.objectNode().put(words.any(random), Words.harmless(random));
            default ->
                TextNode.valueOf(Values.isRun(field) || field.isEmpty() ? Words.harmless(random) : words.any(random));
        };
    }

    private static JsonNode many(Random random) {
        ArrayNode many = JSON.arrayNode();
        for (int i = random.nextInt(3_000); i > 0; i--) {
            many.add(Words.harmless(random).length());
        }
        return many;
    }

    private static JsonNode nested(int depth) {
        JsonNode node = JSON.numberNode(1);
        for (int i = 0; i < depth; i++) {
            node = i % 2 == 0 ? JSON.arrayNode().add(node) : JSON.objectNode().set("a", node);
        }
        return node;
    }

    /** Bytes that are not what they should be, most of them no JSON at all. */
    static byte[] broken(JsonNode body, Random random) {
        String text = body.toString();
        return switch (random.nextInt(20)) {
            case 0 -> utf8(text.substring(0, random.nextInt(text.length() + 1)));
            case 1 -> utf8("\ufeff" + text);
            case 2 -> text.getBytes(StandardCharsets.UTF_16);
            case 3 -> flipped(utf8(text), random);
            case 4 -> utf8(text + text);
            case 5 -> utf8(text.replaceFirst("\\{", "{\"name\": \"a\", \"name\": \"b\", "));
            case 6 -> utf8(text.replace('"', '\''));
            case 7 -> utf8("[".repeat(1 + random.nextInt(100_000)));
            case 8 -> utf8("{\"a\":".repeat(1 + random.nextInt(30_000)));
            case 9 -> utf8("{\"name\": NaN, \"timeout\": +Infinity}");
            case 10 -> utf8("{\"priority\": 1" + "0".repeat(random.nextInt(2_000)) + "}");
            case 11 -> utf8("{\"priority\": 1e" + random.nextInt(1_000_000_000) + "}");
            case 12 -> utf8("/* a */ " + text + " // b");
            case 13 -> utf8("{\"name\": \"" + "\\ud800".repeat(1 + random.nextInt(50)) + "\"}");
            case 14 -> utf8("{\"name\": \"\t\n\u0001\"}");
            case 15 -> new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xc0, (byte) 0xaf, (byte) 0xff, '"', '}'};
            case 16 -> utf8(" ".repeat(random.nextInt(300_000)) + text);
            case 17 -> utf8("{\"description\": \"" + "x".repeat(random.nextInt(400_000)) + "\"}");
            case 18 -> random(random);
            default ->
                utf8(List.of("null", "[]", "\"\"", "0", "true", "{}{}", "{", "}", "]", ",", "\"", "<a/>", "a=b")
                        .get(random.nextInt(13)));
        };
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static byte[] random(Random random) {
        byte[] bytes = new byte[random.nextInt(2_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
