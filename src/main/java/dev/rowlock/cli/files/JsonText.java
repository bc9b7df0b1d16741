package dev.rowlock.cli.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads JSON, one or several values one after the other. */
final class JsonText {

    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String file;
    private final JsonParser parser;
    private Map<String, Position> places = new HashMap<>();

    private JsonText(String file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * All values of a text.
     *
     * @throws WrongFiles it is no JSON
     */
    static List<Located> read(String file, String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            return new JsonText(file, parser).all();
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            throw new WrongFiles(
                    new Position(file, at == null ? 1 : at.getLineNr(), at == null ? 1 : at.getColumnNr()),
                    "this is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Located> all() throws IOException {
        List<Located> values = new ArrayList<>();
        while (parser.nextToken() != null) {
            places = new HashMap<>();
            places.put("", position());
            values.add(new Located(value(""), places));
        }
        return values;
    }

    private JsonNode value(String path) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(path);
            case START_ARRAY -> array(path);
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

    private ObjectNode object(String path) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String at = Located.field(path, name);
            if (object.has(name)) {
                int first = Objects.requireNonNull(places.get(at)).line();
                throw new WrongFiles(position(), name + " is here twice, first in line " + first);
            }
            places.put(at, position());
            parser.nextToken();
            object.set(name, value(at));
        }
        return object;
    }

    private ArrayNode array(String path) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String at = Located.element(path, array.size());
            places.put(at, position());
            array.add(value(at));
        }
        return array;
    }

    private Position position() {
        JsonLocation at = parser.currentTokenLocation();
        return new Position(file, at.getLineNr(), at.getColumnNr());
    }
}
