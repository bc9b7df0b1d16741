package dev.rowlock.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** What is no request, or one that two readers could take for different things. */
final class Malformed {

    /** Headers that nobody has asked for, in requests that are sound otherwise. */
    static final List<String> ODD_HEADERS = List.of(
            "X-Forwarded-For: 127.0.0.1, ' or 1=1",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: evil.example",
            "X-Original-URL: /api/v1/tokens",
            "X-HTTP-Method-Override: DELETE",
            "Forwarded: for=\"[::1]\";proto=https",
            "Cookie: rowlock=" + "a".repeat(43) + "." + "b".repeat(22),
            "Cookie: rowlock=; __Host-rowlock=x; $Version=1; =; ;;; a=\"",
            "Cookie: " + "a=b; ".repeat(1_000),
            "Origin: https://evil.example",
            "Sec-Fetch-Site: cross-site",
            "X-CSRF-Token: \u00e9",
            "Accept: application/openmetrics-text",
            "Accept: text/html",
            "Accept: " + "*/*;q=0.1,".repeat(500),
            "Accept-Encoding: gzip, br",
            "Content-Encoding: gzip",
            "Range: bytes=0-0,1-1,2-2",
            "If-None-Match: *",
            "If-Modified-Since: yesterday",
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
            "Connection: keep-alive, close, Host, Authorization",
            "Transfer-Encoding-X: chunked",
            "Last-Event-ID: \u0001",
            "Last-Event-ID: 99999999999999999999-1",
            "X-Request-Id: a\tb",
            "User-Agent: () { :; }; touch /tmp/shock",
            "Max-Forwards: 0",
            "X-A: " + "x".repeat(8_000),
            "Prefer: respond-async",
            "Trailer: Host",
            "Date: never");

    /** What the server may call things for itself. */
    private static final List<String> INTERNAL = List.of(
            "BEFORE", "AFTER", "BEFORE_MATCHED", "AFTER_MATCHED", "WEBSOCKET_BEFORE_UPGRADE", "QUERY", "PROPFIND");

    private static final byte[] TLS_HELLO = {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3};

    private final String host;
    private final String admin;

    Malformed(Stage stage) {
        this.host = "Host: 127.0.0.1:" + stage.port() + "\r\n";
        this.admin = "X-Request-Id: malformed\r\n"
                + stage.callers().stream()
                        .filter(caller -> caller.role() == Stage.Role.ADMIN && !caller.limited())
                        .findFirst()
                        .map(caller -> String.join("\r\n", caller.header()) + "\r\n")
                        .orElse("");
    }

    Shot shot(long index, Random random, List<Operation> operations) {
        Operation operation = Shots.pick(operations, random);
        String path = operation.path().replaceAll("\\{[a-z]+}", "j1");
        byte[] bytes = bytes(operation.method(), path, random);
        return new Shot(index, null, null, false, false, false, bytes);
    }

    private byte[] bytes(String method, String path, Random random) {
        String line = method + " " + path + " HTTP/1.1\r\n";
        String closing = "Connection: close\r\n\r\n";
        String broken = "{\"no such field\": 1, \"name\":";
        return switch (random.nextInt(40)) {
            case 0 -> text(line + closing);
            case 1 -> text(line + host + host + closing);
            case 2 -> text(line + "Host: evil.example\r\n" + admin + closing);
            case 3 -> text(line + "Host: \r\n" + closing);
            case 4 -> text(line + host + admin + "Content-Length: 5\r\nContent-Length: 6\r\n" + closing + "{}{}{}");
            case 5 -> text(line + host + admin + "Content-Length: -1\r\n" + closing);
            case 6 -> text(line + host + admin + "Content-Length: 99999999999999999999\r\n" + closing);
            case 7 -> text(line + host + admin + "Content-Length: 4x\r\n" + closing + "{}{}");
            case 8 -> smuggled(line, broken);
            case 9 -> text(line + host + admin + "Transfer-Encoding: chunked\r\n" + closing + "zz\r\n{}\r\n0\r\n\r\n");
            case 10 -> text(line + host + admin + "Transfer-Encoding: chunked\r\n" + closing + "-1\r\n\r\n");
            case 11 -> text(line + host + admin + "Transfer-Encoding: chunked\r\n" + closing + "ffffffffffffffff\r\n{");
            case 12 ->
                text(line + host + admin + "Transfer-Encoding: gzip, chunked\r\n" + closing + "1\r\n{\r\n0\r\n\r\n");
            case 13 -> text(line + host + admin + "Transfer-Encoding: chunked, gzip\r\n" + closing + broken);
            case 14 -> text(line + host + "X-A: b\r\n folded: yes\r\n" + closing);
            case 15 -> text(line + host + "X-A b\r\n" + closing);
            case 16 -> text(line + host + "X A: b\r\n" + closing);
            case 17 -> text(line + host + ": b\r\n" + closing);
            case 18 -> text(line + host + "X-A: a\0b\r\n" + closing);
            case 19 -> text(line + host + "X-A: " + "x".repeat(20_000 + random.nextInt(100_000)) + "\r\n" + closing);
            case 20 -> text(line + host + "X-A: b\r\n".repeat(3_000) + closing);
            case 21 -> text(method + " /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + host + closing);
            case 22 -> text(method + "  " + path + " HTTP/1.1\r\n" + host + closing);
            case 23 -> text(method + " " + path + "\r\n\r\n");
            case 24 -> text(method + " " + path + " HTTP/1.0\r\n\r\n");
            case 25 -> text(method + " " + path + " HTTP/3.7\r\n" + host + closing);
            case 26 -> text(method.toLowerCase(java.util.Locale.ROOT) + " " + path + " HTTP/1.1\r\n" + host + closing);
            case 27 -> text("A".repeat(1 + random.nextInt(300)) + " " + path + " HTTP/1.1\r\n" + host + closing);
            case 28 -> text("CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + host + closing);
            case 29 -> text("TRACE " + path + " HTTP/1.1\r\n" + host + admin + closing);
            case 30 -> text("GET http://evil.example" + path + " HTTP/1.1\r\n" + host + closing);
            case 31 -> text("OPTIONS * HTTP/1.1\r\n" + host + closing);
            case 32 -> text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            case 33 -> TLS_HELLO;
            case 34 -> text("GET " + path + "\0 HTTP/1.1\r\n" + host + closing);
            case 35 -> text(line + host + admin + "Expect: 200-maybe\r\nContent-Length: 2\r\n" + closing + "[]");
            case 36 -> text(line + host + "Authorization: Bearer " + "\u00e9\u0001\r\n" + closing);
            case 38 -> text(Shots.pick(INTERNAL, random) + " " + path + " HTTP/1.1\r\n" + host + closing);
            case 37 -> text(method + " " + path + "#a HTTP/1.1\r\n" + host + closing);
            default -> noise(random);
        };
    }

    /** A length and chunks at once: what follows must not be taken for a request of its own. */
    private byte[] smuggled(String line, String broken) {
        String inner = "DELETE /api/v1/jobs/own/j1 HTTP/1.1\r\n" + host + admin + "X-Request-Id: smuggled\r\n\r\n";
        return text(line + host + admin + "Content-Length: " + broken.length()
                + "\r\nTransfer-Encoding: chunked\r\n\r\n" + "1\r\n[\r\n0\r\n\r\n" + inner);
    }

    private static byte[] noise(Random random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] some = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(some);
        bytes.writeBytes(some);
        bytes.writeBytes(text("\r\n\r\n\r\n"));
        return bytes.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
