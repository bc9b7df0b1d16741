package dev.rowlock.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.rowlock.field.Times;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.task.Total;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Strict reading of request bodies, and writing of answers. */
public final class Json {

    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String PLAIN = "application/json";

    /** Most tokens that the largest definition can have; more would take many times the memory of their text. */
    private static final long MOST_TOKENS = 100_000;

    /** Most tokens of a thousand definitions as the API shows them, with room for long ones. */
    private static final long MOST_TOKENS_OF_MANY = 400_000;

    private static final JsonMapper MAPPER = mapper(MOST_TOKENS);
    private static final JsonMapper LARGE = mapper(MOST_TOKENS_OF_MANY);

    private static JsonMapper mapper(long mostTokens) {
        return JsonMapper.builder(com.fasterxml.jackson.core.JsonFactory.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(50)
                                .maxTokenCount(mostTokens)
                                .build())
                        .build())
                .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .addModule(new SimpleModule()
                        .addSerializer(ZoneId.class, ToStringSerializer.instance)
                        .addSerializer(new StdDelegatingSerializer(Instant.class, new StdConverter<Instant, String>() {
                            @Override
                            public String convert(Instant t) {
                                return Times.text(t);
                            }
                        })))
                .build();
    }

    private Json() {}

    /** Converts a record to an object and a list to an array: each component under its name, with readable times. */
    public static JsonNode tree(@Nullable Object value) {
        return MAPPER.valueToTree(value);
    }

    /** Converts a value to JSON text. */
    public static byte[] text(Object value) {
        try {
            return (MAPPER.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("an answer cannot be written as JSON", e);
        }
    }

    /** Returns the answer with warnings added. */
    public static ObjectNode warned(ObjectNode answer, List<String> warnings) {
        return answer.set("warnings", tree(warnings));
    }

    public static void answer(Context ctx, int status, JsonNode node) {
        ctx.status(status).contentType(PLAIN);
        byte[] text = (node + "\n").getBytes(StandardCharsets.UTF_8);
        Answers.whole(ctx, text);
    }

    /** @param cursor where the next page begins; null if this is the last one */
    public static <T> byte[] page(List<T> items, Function<T, JsonNode> form, @Nullable String cursor) {
        return page(items, form, cursor, json -> {});
    }

    /** Returns a page with the total; a total of null: not counted. */
    public static <T> byte[] page(
            List<T> items, Function<T, JsonNode> form, @Nullable String cursor, @Nullable Total total) {
        return page(items, form, cursor, json -> json.writePOJOField("total", total));
    }

    /** Writer of further fields of an object. */
    private interface FieldWriter {
        void write(JsonGenerator json) throws IOException;
    }

    private static <T> byte[] page(
            List<T> items, Function<T, JsonNode> form, @Nullable String cursor, FieldWriter further) {
        try (ByteArrayBuilder text = new ByteArrayBuilder();
                JsonGenerator json = MAPPER.createGenerator(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("items");
            for (T item : items) {
                json.writeTree(form.apply(item));
            }
            json.writeEndArray();
            json.writeStringField("nextCursor", cursor);
            further.write(json);
            json.writeEndObject();
            json.writeRaw('\n');
            json.flush();
            return text.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("an answer cannot be written as JSON", e);
        }
    }

    /** Answers with this text at once, after giving back all other memory. */
    public static void send(Context ctx, MemoryShare part, byte[] text) {
        part.keepOnly(text.length);
        ctx.status(200).contentType(PLAIN);
        Answers.whole(ctx, text);
    }

    /** @param types the content types that are accepted */
    public static ObjectNode object(Context ctx, long maxBytes, List<String> types) {
        if (node(ctx, maxBytes, types) instanceof ObjectNode object) {
            return object;
        }
        throw new ApiProblem(400, "a JSON object is expected in the body");
    }

    /** Reads an object that holds many definitions. */
    public static ObjectNode largeObject(Context ctx, long maxBytes) {
        if (node(LARGE, ctx, maxBytes, List.of(PLAIN)) instanceof ObjectNode object) {
            return object;
        }
        throw new ApiProblem(400, "a JSON object is expected in the body");
    }

    /** Reads an object; no body is an empty one. */
    public static ObjectNode objectOrNothing(Context ctx, long maxBytes) {
        JsonNode sent = node(ctx, maxBytes, List.of(PLAIN));
        if (sent == null) {
            return MAPPER.createObjectNode();
        }
        if (sent instanceof ObjectNode object) {
            return object;
        }
        throw new ApiProblem(400, "a JSON object is expected in the body");
    }

    /** Refuses a body that is not an empty object, if there is one. */
    public static void requireEmpty(Context ctx) {
        JsonNode sent = node(ctx, 1024, List.of(PLAIN));
        if (sent != null && !sent.isObject()) {
            throw new ApiProblem(400, "a JSON object is expected in the body");
        }
        if (sent != null && !sent.isEmpty()) {
            throw ApiProblem.of(422, sent.fieldNames().next(), "is not a field here; the body must be empty or {}");
        }
    }

    /** Reads the body; null if it is empty. */
    private static @Nullable JsonNode node(Context ctx, long maxBytes, List<String> types) {
        return node(MAPPER, ctx, maxBytes, types);
    }

    private static @Nullable JsonNode node(JsonMapper mapper, Context ctx, long maxBytes, List<String> types) {
        byte[] body = RequestBody.of(ctx, maxBytes);
        if (body.length == 0) {
            return null;
        }
        requireType(ctx, types);
        return parse(mapper, QueryString.utf8(body, () -> new ApiProblem(400, "the body is not UTF-8")));
    }

    /** Checks the header as it was sent: the server fails if it names a charset unknown to Java. */
    private static void requireType(Context ctx, List<String> types) {
        String coding = ctx.header("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw new ApiProblem(
                    415, "Content-Encoding \"" + coding + "\" is not undone; send the body as it is", Map.of());
        }
        String sent = ctx.header("Content-Type");
        String type = sent == null ? "" : sent.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!types.contains(type)) {
            throw new ApiProblem(
                    415,
                    "the Content-Type must be " + String.join(" or ", types) + ", not '" + type + "'",
                    Map.of(types.contains(MERGE_PATCH) ? "Accept-Patch" : "Accept", String.join(", ", types)));
        }
    }

    private static JsonNode parse(JsonMapper mapper, String text) {
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new ApiProblem(400, "the body is not JSON" + where + ": " + e.getOriginalMessage());
        }
    }
}
