package dev.rowlock.http;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parameters of a request, decoded strictly: leaving out what cannot be decoded would answer another question. */
final class QueryString {

    private static final String REMEDY =
            "cannot be decoded: a percent sign must be followed by two hexadecimal digits (%25 is the sign itself),"
                    + " and the bytes must be UTF-8";

    private static final Pattern NO_BYTE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

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
        if (NO_BYTE.matcher(raw).find()) {
            throw ApiProblem.of(400, field, REMEDY);
        }
        String bytes = new String(raw.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        String decoded = URLDecoder.decode(bytes, StandardCharsets.ISO_8859_1);
        return utf8(decoded.getBytes(StandardCharsets.ISO_8859_1), () -> ApiProblem.of(400, field, REMEDY));
    }

    /** Decodes UTF-8 without replacing anything. */
    static String utf8(byte[] bytes, Supplier<ApiProblem> otherwise) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
        } catch (CharacterCodingException e) {
            throw otherwise.get();
        }
    }
}
