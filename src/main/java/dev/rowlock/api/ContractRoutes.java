package dev.rowlock.api;

import io.javalin.http.Context;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /openapi.yaml}: what can be asked of this server, for programs. */
final class ContractRoutes {

    private static final String TYPE = "application/yaml";

    private final Supplier<List<Endpoints.Route>> table;
    private @Nullable Written written;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Written(byte[] text, String etag) {}

    /** @param table every endpoint, once all are there */
    ContractRoutes(Supplier<List<Endpoints.Route>> table) {
        this.table = table;
    }

    void register(Endpoints endpoints) {
        endpoints.open("/openapi.yaml", this::answer);
    }

    private void answer(Context ctx) {
        Written contract = written();
        ctx.header("ETag", contract.etag).header("Cache-Control", "no-cache");
        String known = ctx.header("If-None-Match");
        if (known != null && (known.contains(contract.etag) || known.strip().equals("*"))) {
            ctx.status(304);
            return;
        }
        ctx.contentType(TYPE);
        Answers.whole(ctx, contract.text);
    }

    /** Made when it is first asked for: a node that nobody asks has no part of it in memory. */
    private synchronized Written written() {
        if (written == null) {
            byte[] text = Contract.of(table.get(), version()).yaml();
            written = new Written(text, "\"" + sha256(text) + "\"");
        }
        return written;
    }

    private static String version() {
        @Nullable String version = ContractRoutes.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static String sha256(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
