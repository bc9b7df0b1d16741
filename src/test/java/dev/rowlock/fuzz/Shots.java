package dev.rowlock.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.fuzz.Operation.Parameter;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** Makes requests by a seed: each from its number alone, whatever was sent before. */
final class Shots {

    private final long seed;
    private final Stage stage;
    private final Contract contract;
    private final Words words;
    private final Values values;
    private final Bodies bodies;
    private final Malformed malformed;

    Shots(long seed, Stage stage, Contract contract, Words words) {
        this.seed = seed;
        this.stage = stage;
        this.contract = contract;
        this.words = words;
        this.values = new Values(contract, stage.names());
        this.bodies = new Bodies(words);
        this.malformed = new Malformed(stage);
    }

    /**
     * The request of this number.
     *
     * @param refused whether it has to be one that must be refused, or that only reads
     */
    Shot shot(long index, boolean refused) {
        Random random = new Random(seed * 1_000_003 + index);
        random.nextLong(); // the first values of neighbouring seeds are alike
        if (random.nextInt(20) == 0) {
            return malformed.shot(index, random, contract.operations());
        }
        List<Operation> all = contract.operations();
        Operation operation = all.get((int) (index % all.size()));
        Stage.Caller caller = pick(stage.callers(), random);
        return request(index, operation, caller, refused, random);
    }

    private Shot request(long index, Operation operation, Stage.Caller caller, boolean refused, Random random) {
        boolean head = operation.reads() && (operation.streams() ? random.nextInt(20) > 0 : random.nextInt(20) == 0);
        String path = path(operation, random);
        boolean odd = path.startsWith("!");
        String target = odd ? path.substring(1) : path;
        boolean breaks = refused && !operation.reads() && caller.may(operation);
        String query = query(operation, breaks, random);
        byte[] body = body(operation, random);
        boolean wrongType = body.length > 0 && random.nextInt(25) == 0;
        List<String> headers = headers(operation, caller, index, random);
        if (body.length > 0 || !operation.reads()) {
            headers.add("Content-Type: " + (wrongType ? "text/" + random.nextInt(9) : "application/json"));
        }
        boolean chunked = random.nextInt(6) == 0;
        headers.add(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length);
        String method = head ? "HEAD" : operation.method();
        String text = method + " " + target + query + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(chunked ? chunks(body, random) : body);
        boolean upgrade = headers.stream()
                .anyMatch(header -> header.startsWith("Upgrade:") || header.startsWith("X-HTTP-Method-Override:"));
        return new Shot(index, operation, caller, !odd && !upgrade, breaks, head, bytes.toByteArray());
    }

    /** With an exclamation mark in front if it may be that of another route, or of none. */
    private String path(Operation operation, Random random) {
        String path = operation.path();
        boolean odd = false;
        for (Parameter parameter : operation.parameters()) {
            if (parameter.in().equals("path")) {
                boolean strange = random.nextInt(8) == 0;
                odd |= strange;
                String value = strange ? words.any(random) : values.parameter(parameter, random);
                path = path.replace("{" + parameter.name() + "}", strange ? segment(value, random) : value);
            }
        }
        if (random.nextInt(40) == 0) {
            odd = true;
            path = pick(
                    List.of(
                            path + "/",
                            "/" + path,
                            path + ";a=b",
                            path + "/../" + "x",
                            path + "%2f",
                            path + "//x",
                            path + "/.",
                            path.toUpperCase(java.util.Locale.ROOT),
                            path.replaceFirst("v1", "v1/%2e%2e/v1"),
                            path + "%00",
                            path.replaceFirst("/", "/%c0%ae%c0%ae/"),
                            path + "%"),
                    random);
        }
        return odd ? "!" + path : path;
    }

    /** A text as a part of a path: encoded as it should be, or nearly. */
    private static String segment(String value, Random random) {
        String encoded = URLEncoder.encode(value.substring(0, Math.min(value.length(), 2_000)), StandardCharsets.UTF_8)
                .replace("+", "%20");
        return switch (random.nextInt(8)) {
            case 0 -> encoded.replace("%", "%25");
            case 1 -> encoded.replace("%2F", "/");
            case 2 -> encoded + "%";
            case 3 -> "%ff" + encoded;
            case 4 -> encoded.toLowerCase(java.util.Locale.ROOT) + ";x=" + encoded;
            default -> encoded;
        };
    }

    /** @param breaks whether there is a parameter that no route has */
    private String query(Operation operation, boolean breaks, Random random) {
        List<String> pairs = new ArrayList<>(breaks ? List.of("no-such-parameter=1") : List.of());
        for (Parameter parameter : operation.parameters()) {
            if (parameter.in().equals("query") && random.nextInt(3) == 0) {
                String value = switch (random.nextInt(3)) {
                    case 0 -> words.any(random);
                    case 1 -> parameter.name().equals("cursor") ? cursor(random) : words.any(random);
                    default -> values.parameter(parameter, random);
                };
                pairs.add(parameter.name() + "=" + encoded(value));
                if (random.nextInt(20) == 0) {
                    pairs.add(parameter.name() + "=" + encoded(words.any(random)));
                }
            }
        }
        if (random.nextInt(25) == 0) {
            pairs.add(pick(
                    List.of(
                            "unknown=1",
                            "%",
                            "%zz=1",
                            "a=%ff",
                            "&&&=",
                            "=",
                            "limit",
                            "limit=%00",
                            "a=" + "b".repeat(7_000),
                            "namespace[]=own",
                            "cursor=AAAA",
                            "a=1&".repeat(500)),
                    random));
        }
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value.substring(0, Math.min(value.length(), 3_000)), StandardCharsets.UTF_8);
    }

    /** Like one that the server gives out, with other things in it. */
    private String cursor(Random random) {
        List<String> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            parts.add(
                    switch (random.nextInt(5)) {
                        case 0 -> String.valueOf(random.nextLong());
                        case 1 -> "2026-01-01T00:00:00.000Z";
                        case 2 -> "";
                        case 3 -> "j1";
                        default -> words.any(random);
                    });
        }
        String text = String.join("\n", parts);
        byte[] bytes = text.substring(0, Math.min(text.length(), 600)).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private byte[] body(Operation operation, Random random) {
        if (operation.body() == null) {
            return random.nextInt(30) == 0 ? "{\"a\": 1}".getBytes(StandardCharsets.UTF_8) : new byte[0];
        }
        JsonNode body = values.body(operation, random);
        return switch (random.nextInt(6)) {
            case 0 -> body.toString().getBytes(StandardCharsets.UTF_8);
            case 1, 2 -> Bodies.broken(body, random);
            default -> bodies.changed(body, random).toString().getBytes(StandardCharsets.UTF_8);
        };
    }

    private List<String> headers(Operation operation, Stage.Caller caller, long index, Random random) {
        List<String> headers =
                new ArrayList<>(List.of("Host: 127.0.0.1:" + stage.port(), "X-Request-Id: fuzz-" + index));
        headers.addAll(caller.header());
        for (Parameter parameter : operation.parameters()) {
            if (parameter.in().equals("header") && random.nextInt(3) == 0) {
                headers.add(parameter.name() + ": "
                        + pick(
                                List.of(
                                        "\"1\"",
                                        "*",
                                        "\"",
                                        "W/\"2\"",
                                        "\"99999999999\"",
                                        "\"1\", \"2\"",
                                        "key-1",
                                        " ",
                                        "x".repeat(300),
                                        "\u00e9\u20ac",
                                        "'; drop table job",
                                        "\"\u0001\"",
                                        "0-0"),
                                random));
            }
        }
        if (random.nextInt(10) == 0) {
            headers.add(pick(Malformed.ODD_HEADERS, random));
        }
        return headers;
    }

    private static byte[] chunks(byte[] body, Random random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int at = 0;
        while (at < body.length) {
            int size = Math.min(body.length - at, 1 + random.nextInt(1 + body.length));
            all.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            all.write(body, at, size);
            all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            at += size;
        }
        all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return all.toByteArray();
    }

    static <T> T pick(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }
}
