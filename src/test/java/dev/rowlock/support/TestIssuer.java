package dev.rowlock.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An OpenID Connect provider that does what the specification says, and what a test wants otherwise. It shares no code
 * with the library that the product uses.
 */
public final class TestIssuer implements AutoCloseable {

    public static final String CLIENT = "rowlock-of-the-tests";
    public static final String SECRET = "s3cret:of/the tests";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    /** Made before anybody waits for it. */
    private static final KeyPair UNPUBLISHED = keyPair();

    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile KeyPair key = keyPair();
    private volatile String keyId = "key-1";

    /** What is put into, or changed of, the claims of the next tokens. */
    public volatile Consumer<ObjectNode> claims = token -> {};

    /** Of the next tokens: RS256, or none. */
    public volatile String algorithm = "RS256";

    /** Whether the next tokens are signed by a key that is not the published one. */
    public volatile boolean forged;

    private TestIssuer(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, metadata()));
        server.createContext("/keys", exchange -> answer(exchange, 200, keys()));
        server.createContext("/token", this::token);
        server.start();
    }

    public static TestIssuer start() throws IOException {
        return new TestIssuer(0);
    }

    public static TestIssuer startAt(int port) throws IOException {
        return new TestIssuer(port);
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How often it was asked for anything. */
    public int asked() {
        return asked.get();
    }

    /** From now on, tokens are signed by another key, and the one before is no longer published. */
    public void rotateKey() {
        key = keyPair();
        keyId = "key-" + UUID.randomUUID();
    }

    /**
     * Somebody signs in: what a browser would be sent back to the client with.
     *
     * @param location where the client sent the browser
     * @return the query of the redirection
     */
    public String signIn(String location) {
        Map<String, String> sent = parameters(URI.create(location).getRawQuery());
        if (!location.startsWith(url() + "/authorize?")
                || !"code".equals(sent.get("response_type"))
                || !CLIENT.equals(sent.get("client_id"))
                || !"S256".equals(sent.get("code_challenge_method"))
                || !List.of(sent.get("scope").split(" ")).contains("openid")) {
            throw new AssertionError("not a request that a provider accepts: " + location);
        }
        String code = UUID.randomUUID().toString();
        codes.put(code, sent);
        return "code=" + code + "&state=" + sent.get("state");
    }

    private ObjectNode metadata() {
        ObjectNode metadata = JSON.createObjectNode()
                .put("issuer", url().toString())
                .put("authorization_endpoint", url() + "/authorize")
                .put("token_endpoint", url() + "/token")
                .put("jwks_uri", url() + "/keys");
        metadata.putArray("response_types_supported").add("code");
        metadata.putArray("subject_types_supported").add("public");
        metadata.putArray("id_token_signing_alg_values_supported").add("RS256");
        return metadata;
    }

    private ObjectNode keys() {
        RSAPublicKey published = (RSAPublicKey) key.getPublic();
        ObjectNode keys = JSON.createObjectNode();
        ArrayNode all = keys.putArray("keys");
        all.addObject()
                .put("kty", "RSA")
                .put("use", "sig")
                .put("alg", "RS256")
                .put("kid", keyId)
                .put("n", TEXT.encodeToString(unsigned(published.getModulus())))
                .put("e", TEXT.encodeToString(unsigned(published.getPublicExponent())));
        return keys;
    }

    private static byte[] unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? java.util.Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    /** A code is good for one token, for the client that it was made for, and for whoever knows the verifier. */
    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> sent =
                parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> begun = codes.remove(sent.getOrDefault("code", ""));
        String basic = "Basic "
                + Base64.getEncoder()
                        .encodeToString((encoded(CLIENT) + ":" + encoded(SECRET)).getBytes(StandardCharsets.UTF_8));
        if (!basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, JSON.createObjectNode().put("error", "invalid_client"));
        } else if (begun == null
                || !"authorization_code".equals(sent.get("grant_type"))
                || !begun.get("redirect_uri").equals(sent.get("redirect_uri"))
                || !begun.get("code_challenge").equals(challenge(sent.getOrDefault("code_verifier", "")))) {
            answer(
                    exchange,
                    400,
                    JSON.createObjectNode()
                            .put("error", "invalid_grant")
                            .put("error_description", "the code was used, or is not yours"));
        } else {
            answer(
                    exchange,
                    200,
                    JSON.createObjectNode()
                            .put("access_token", "opaque")
                            .put("token_type", "Bearer")
                            .put("id_token", idToken(begun)));
        }
    }

    private static String encoded(String text) {
        return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String idToken(Map<String, String> begun) {
        long now = Instant.now().getEpochSecond();
        ObjectNode token = JSON.createObjectNode()
                .put("iss", url().toString())
                .put("sub", "u-17")
                .put("aud", CLIENT)
                .put("iat", now)
                .put("exp", now + 300)
                .put("nonce", begun.get("nonce"))
                .put("preferred_username", "ann");
        token.putArray("groups").add("staff").add("ops");
        claims.accept(token);
        String head = JSON.createObjectNode()
                .put("alg", algorithm)
                .put("kid", keyId)
                .put("typ", "JWT")
                .toString();
        String signed = part(head) + "." + part(token.toString());
        return signed + "." + (algorithm.equals("none") ? "" : signature(signed));
    }

    private static String part(String json) {
        return TEXT.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private String signature(String text) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign((forged ? UNPUBLISHED : key).getPrivate());
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return TEXT.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String challenge(String verifier) {
        try {
            return TEXT.encodeToString(
                    MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a query or a form. */
    public static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : text.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            parameters.put(
                    URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                    parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private void answer(HttpExchange exchange, int status, ObjectNode body) throws IOException {
        asked.incrementAndGet();
        byte[] bytes = text(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String text(ObjectNode body) {
        try {
            return JSON.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
