package dev.rowlock.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TreeTraversingParser;
import dev.rowlock.yaml.Located;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reader and writer of JSON as trees without Jackson's mapper: to load that takes longer than all else that a command
 * does.
 */
public final class Trees {

    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Listener that is told of each field and each element, with the parser at its name or its beginning. */
    @FunctionalInterface
    public interface Places {
        /** @param again whether its object has a field of this name already */
        void saw(String path, boolean again) throws IOException;
    }

    private Trees() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** Returns a parser in front of a text. */
    public static JsonParser parser(String text) throws IOException {
        return JSON.createParser(text);
    }

    /** Reads an answer; missing if it is empty. */
    public static JsonNode json(InputStream text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            return parser.nextToken() == null ? MissingNode.getInstance() : read(parser, null);
        }
    }

    /** Reads a text of ours; missing if it is empty. */
    public static JsonNode json(String text) {
        try (JsonParser parser = parser(text)) {
            return parser.nextToken() == null ? MissingNode.getInstance() : read(parser, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the value that the parser stands at; afterwards it stands at its end. */
    public static JsonNode read(JsonParser parser, @Nullable Places places) throws IOException {
        return value(parser, "", places);
    }

    private static JsonNode value(JsonParser parser, String path, @Nullable Places places) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> fields(parser, path, places);
            case START_ARRAY -> elements(parser, path, places);
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? NODES.numberNode(parser.getBigIntegerValue())
                        : NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    private static ObjectNode fields(JsonParser parser, String path, @Nullable Places places) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String at = path;
            if (places != null) {
                at = Located.field(path, name);
                places.saw(at, object.has(name));
            }
            parser.nextToken();
            object.set(name, value(parser, at, places));
        }
        return object;
    }

    private static ArrayNode elements(JsonParser parser, String path, @Nullable Places places) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String at = path;
            if (places != null) {
                at = Located.element(path, array.size());
                places.saw(at, false);
            }
            array.add(value(parser, at, places));
        }
        return array;
    }

    /** Writes it where the generator stands. */
    public static void write(JsonNode node, JsonGenerator to) throws IOException {
        try (JsonParser all = new TreeTraversingParser(node)) {
            all.nextToken();
            to.copyCurrentStructure(all);
        }
    }

    /** Returns it as compact JSON. */
    public static String text(JsonNode node) {
        StringWriter text = new StringWriter();
        try (JsonGenerator to = JSON.createGenerator(text)) {
            write(node, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Returns it as compact JSON. */
    public static byte[] bytes(JsonNode node) {
        return text(node).getBytes(StandardCharsets.UTF_8);
    }
}
