package dev.rowlock.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, by name, decoded strictly: a library that leaves out what it cannot decode would answer a question that nobody
 * asked.
 */
final class QueryString {

    private static final String REMEDY =
            "cannot be decoded: a percent sign must be followed by two hexadecimal digits (%25 is the sign itself), and the bytes must be UTF-8";

    private QueryString() {}

    /** @throws ApiProblem a name or a value cannot be decoded */
    static Map<String, List<String>> parse(@Nullable String query) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (query == null) {
            return values;
        }
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String rawName = equals < 0 ? pair : pair.substring(0, equals);
                String name = decode(rawName, rawName);
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1), name);
                values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            }
        }
        return values;
    }

    private static String decode(String raw, String field) {
        byte[] sent = raw.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(sent.length);
        for (int i = 0; i < sent.length; i++) {
            if (sent[i] != '%') {
                bytes.write(sent[i] == '+' ? ' ' : sent[i]);
                continue;
            }
            boolean whole = i + 2 < sent.length;
            int high = whole ? Character.digit(sent[i + 1], 16) : -1;
            int low = whole ? Character.digit(sent[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw ApiProblem.of(400, field, REMEDY);
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ApiProblem.of(400, field, REMEDY);
        }
    }
}
