package dev.rowlock.alert.send;

import dev.rowlock.alert.AlertChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Headers of the Standard Webhooks specification. */
final class Signature {

    private Signature() {}

    /** @param secrets one signature for each, so that a receiver can change to another; none: it is not signed */
    static Map<String, String> headers(String id, Instant at, byte[] body, List<String> secrets) {
        Map<String, String> headers = new LinkedHashMap<>();
        String time = String.valueOf(at.getEpochSecond());
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", time);
        if (!secrets.isEmpty()) {
            byte[] prefix = (id + "." + time + ".").getBytes(StandardCharsets.UTF_8);
            headers.put(
                    "webhook-signature",
                    secrets.stream()
                            .map(secret -> "v1," + sign(AlertChannel.key(secret), prefix, body))
                            .collect(Collectors.joining(" ")));
        }
        return headers;
    }

    private static String sign(byte[] key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(prefix);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java knows HmacSHA256", e);
        }
    }
}
