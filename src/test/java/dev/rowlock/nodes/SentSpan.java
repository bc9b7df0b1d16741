package dev.rowlock.nodes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A span as it travels: read from Protocol Buffers by the numbers of their fields, without the library that wrote it.
 *
 * @param parent empty: it has none
 * @param status its code and message
 */
record SentSpan(
        String trace,
        String id,
        String parent,
        String name,
        long startNanos,
        long endNanos,
        Map<String, String> attributes,
        String status) {

    /** A field of a message: its number, and a number or bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(int field, long number, byte[] bytes) {

        String hex() {
            return HexFormat.of().formatHex(bytes);
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The spans of an {@code ExportTraceServiceRequest}. */
    static List<SentSpan> read(byte[] request) {
        List<SentSpan> spans = new ArrayList<>();
        for (Part resource : only(request, 1)) {
            for (Part scope : only(resource.bytes, 2)) {
                only(scope.bytes, 2).forEach(span -> spans.add(span(span.bytes)));
            }
        }
        return spans;
    }

    private static SentSpan span(byte[] message) {
        Map<String, String> attributes = new TreeMap<>();
        Map<Integer, Part> parts = new TreeMap<>();
        for (Part part : parts(message)) {
            parts.put(part.field, part);
            if (part.field == 9) {
                attributes.put(
                        only(part.bytes, 1).get(0).text(),
                        value(only(part.bytes, 2).get(0).bytes));
            }
        }
        Part none = new Part(0, 0, new byte[0]);
        String status = parts(parts.getOrDefault(15, none).bytes).stream()
                .map(part -> part.field == 3 ? Long.toString(part.number) : part.text())
                .sorted()
                .reduce((one, other) -> one + " " + other)
                .orElse("");
        return new SentSpan(
                parts.getOrDefault(1, none).hex(),
                parts.getOrDefault(2, none).hex(),
                parts.getOrDefault(4, none).hex(),
                parts.getOrDefault(5, none).text(),
                parts.getOrDefault(7, none).number,
                parts.getOrDefault(8, none).number,
                attributes,
                status);
    }

    private static String value(byte[] any) {
        Part value = parts(any).get(0);
        return value.bytes.length > 0 ? value.text() : Long.toString(value.number);
    }

    private static List<Part> only(byte[] message, int field) {
        return parts(message).stream().filter(part -> part.field == field).toList();
    }

    private static List<Part> parts(byte[] message) {
        List<Part> parts = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = varint(in);
            int field = (int) (tag >> 3);
            switch ((int) (tag & 7)) {
                case 0 -> parts.add(new Part(field, varint(in), new byte[0]));
                case 1 -> parts.add(new Part(field, in.getLong(), new byte[0]));
                case 2 -> {
                    byte[] bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                    parts.add(new Part(field, 0, bytes));
                }
                case 5 -> parts.add(new Part(field, in.getInt(), new byte[0]));
                default -> throw new IllegalStateException("no such wire type: " + tag);
            }
        }
        return parts;
    }

    private static long varint(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            number |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return number;
            }
        }
    }
}
