package dev.rowlock.config;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/**
 * YAML as a tree, read without Jackson's mapper, whose loading takes longer than all else that a command does.
 * Duplicate keys and further documents are errors.
 */
public final class YamlTree {

    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private YamlTree() {}

    /** Observer of each scalar and its place. */
    interface Scalars {
        void saw(YAMLParser at, JsonToken token) throws IOException;
    }

    /** Reads a whole document; missing if it is empty. An alias is an error: it would become its name. */
    public static JsonNode read(String text) throws IOException {
        return read(text, (at, token) -> {
            if (at.isCurrentAlias()) {
                throw new JsonParseException(at, noAliases(at));
            }
        });
    }

    static String noAliases(YAMLParser at) throws IOException {
        return "aliases such as *" + at.getText() + " are not taken; write the value itself";
    }

    static JsonNode read(String text, Scalars scalars) throws IOException {
        try (YAMLParser parser = YAML.createParser(text)) {
            if (parser.nextToken() == null) {
                return MissingNode.getInstance();
            }
            JsonNode whole = value(parser, scalars);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "there is more than one document");
            }
            return whole;
        }
    }

    /** Reads the value at the parser's position, and leaves the parser at its end. */
    private static JsonNode value(YAMLParser parser, Scalars scalars) throws IOException {
        JsonToken token = parser.currentToken();
        if (token.isScalarValue()) {
            scalars.saw(parser, token);
        }
        return switch (token) {
            case START_OBJECT -> map(parser, scalars);
            case START_ARRAY -> list(parser, scalars);
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

    private static ObjectNode map(YAMLParser parser, Scalars scalars) throws IOException {
        ObjectNode map = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            map.set(name, value(parser, scalars));
        }
        return map;
    }

    private static ArrayNode list(YAMLParser parser, Scalars scalars) throws IOException {
        ArrayNode list = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(parser, scalars));
        }
        return list;
    }
}
