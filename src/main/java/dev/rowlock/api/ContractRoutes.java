package dev.rowlock.api;

import dev.rowlock.http.Answers;
import dev.rowlock.http.Endpoints;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Route of {@code /openapi.yaml}: the API of this server, for programs. */
final class ContractRoutes {

    private static final String FILE = "openapi.yaml";
    private static final String TYPE = "application/yaml";

    /** Placeholder of the file for the version of the program. */
    private static final String VERSION = "version: \"%s\"";

    private static final String UNRELEASED = "development";

    private @Nullable ServedContract written;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record ServedContract(byte[] text, String etag) {}

    void register(Endpoints endpoints) {
        endpoints.open("/openapi.yaml", this::answer);
    }

    private void answer(Context ctx) {
        ServedContract contract = written();
        ctx.header("ETag", contract.etag).header("Cache-Control", "no-cache");
        String known = ctx.header("If-None-Match");
        if (known != null && (known.contains(contract.etag) || known.strip().equals("*"))) {
            ctx.status(304);
            return;
        }
        ctx.contentType(TYPE);
        Answers.whole(ctx, contract.text);
    }

    /** Returns the contract, read on first use: a node that nobody asks has none of it in memory. */
    private synchronized ServedContract written() {
        if (written == null) {
            @Nullable String version = ContractRoutes.class.getPackage().getImplementationVersion();
            byte[] text = of(version == null ? UNRELEASED : version).getBytes(StandardCharsets.UTF_8);
            written = new ServedContract(text, "\"" + sha256(text) + "\"");
        }
        return written;
    }

    /** Returns the contract of a program of this version. */
    static String of(String version) {
        try (InputStream file = Objects.requireNonNull(ContractRoutes.class.getResourceAsStream(FILE), FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(VERSION.formatted(UNRELEASED), VERSION.formatted(version));
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " of this program cannot be read", e);
        }
    }

    private static String sha256(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
