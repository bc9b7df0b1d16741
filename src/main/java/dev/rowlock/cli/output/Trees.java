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
import dev.rowlock.config.YamlTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads and writes JSON and YAML as trees without Jackson's mapper: to load that takes longer than all else that a
 * command does.
 */
public final class Trees {

    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Trees() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** What the whole of it says; missing if it is empty. */
    public static JsonNode json(InputStream text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            return parser.nextToken() == null ? MissingNode.getInstance() : read(parser);
        }
    }

    /** What a text of ours says. */
    public static JsonNode json(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            return parser.nextToken() == null ? MissingNode.getInstance() : read(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a YAML text; missing if it is empty. */
    public static JsonNode yaml(String text) throws IOException {
        return YamlTree.read(text);
    }

    /** The value that the parser stands at; afterwards it stands at its end. */
    static JsonNode read(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> readArray(parser);
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

    private static ObjectNode readObject(JsonParser parser) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            object.set(name, read(parser));
        }
        return object;
    }

    private static ArrayNode readArray(JsonParser parser) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(read(parser));
        }
        return array;
    }

    /** Writes it where the generator stands. */
    public static void write(JsonNode node, JsonGenerator to) throws IOException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                to.writeStartObject();
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    to.writeFieldName(field.getKey());
                    write(field.getValue(), to);
                }
                to.writeEndObject();
            }
            case ARRAY -> {
                to.writeStartArray();
                for (JsonNode element : node) {
                    write(element, to);
                }
                to.writeEndArray();
            }
            case NUMBER -> writeNumber(node, to);
            case STRING -> to.writeString(node.textValue());
            case BOOLEAN -> to.writeBoolean(node.booleanValue());
            default -> to.writeNull();
        }
    }

    private static void writeNumber(JsonNode node, JsonGenerator to) throws IOException {
        if (node.canConvertToLong() && node.isIntegralNumber()) {
            to.writeNumber(node.longValue());
        } else if (node.isIntegralNumber()) {
            to.writeNumber(node.bigIntegerValue());
        } else {
            to.writeNumber(node.decimalValue());
        }
    }

    /** As compact JSON. */
    public static String text(JsonNode node) {
        StringWriter text = new StringWriter();
        try (JsonGenerator to = JSON.createGenerator(text)) {
            write(node, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** As compact JSON. */
    public static byte[] bytes(JsonNode node) {
        return text(node).getBytes(StandardCharsets.UTF_8);
    }
}
