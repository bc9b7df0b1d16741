package dev.rowlock.http;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Body of a request, read whole before anything is done with it; its beginning, before the request is served. */
final class RequestBody {

    static final String TOO_SLOW =
            "the body did not arrive within its time, 5 s and one more for each 64 KiB; send it faster";

    /** Bytes of an oversized body that are read and dropped, so that its sender gets to see the refusal. */
    private static final int SWALLOWED = 4 << 20;

    private static final long SWALLOWING_NANOS = 5_000_000_000L;
    private static final int AT_ONCE = 16 << 10;
    private static final String ATTRIBUTE = RequestBody.class.getName();

    private RequestBody() {}

    /** Returns the length of the body still to be read; 0 if nothing is, or if it will be refused. */
    static long yetToCome(Context ctx, long maxBytes) {
        SmallBodies.Beginning beginning = SmallBodies.of(ctx.req());
        long announced = ctx.req().getContentLengthLong();
        if (beginning == null || beginning.isWhole() || announced > maxBytes) {
            return 0;
        }
        return announced > 0 ? announced : maxBytes;
    }

    /** Waits until the body has come, and keeps it for {@link #of}. Returns its length. */
    static int await(Context ctx, long maxBytes) {
        String coding = ctx.header("Transfer-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("chunked")) { // the server undoes chunks alone, without a word
            throw new ApiProblem(400, "Transfer-Encoding \"" + coding + "\" is not understood, only chunked");
        }
        byte[] body = read(ctx, maxBytes, true);
        ctx.attribute(ATTRIBUTE, body);
        return body.length;
    }

    /** Returns the body that was awaited; reads one that was not, if it is small. */
    static byte[] of(Context ctx, long maxBytes) {
        byte[] body = ctx.attribute(ATTRIBUTE);
        if (body == null) {
            body = read(ctx, Math.min(maxBytes, SmallBodies.MOST), false);
        }
        if (body.length > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return body;
    }

    /** @param waits false: nothing is read that has not come already */
    private static byte[] read(Context ctx, long maxBytes, boolean waits) {
        SmallBodies.Beginning beginning = SmallBodies.of(ctx.req());
        if (beginning == null) {
            return new byte[0];
        }
        boolean fits = ctx.req().getContentLengthLong() <= maxBytes && beginning.bytes().length <= maxBytes;
        if (beginning.isWhole() && fits) {
            return beginning.bytes();
        }
        try (InputStream rest = ctx.req().getInputStream()) {
            byte[] body = fits && waits ? whole(beginning, rest, (int) maxBytes) : null;
            if (body == null) {
                // To close on a client that is still sending resets the connection, and the answer is lost with it.
                swallow(rest);
                throw tooLarge(maxBytes);
            }
            return body;
        } catch (IOException e) {
            throw ClientPace.wasTooSlow(e)
                    ? new ApiProblem(408, TOO_SLOW, Map.of("Connection", "close"))
                    : new ApiProblem(400, "the body did not arrive whole: " + e.getMessage());
        }
    }

    /** Reads the rest of the body; null if it is too large. */
    private static byte @Nullable [] whole(SmallBodies.Beginning beginning, InputStream rest, int maxBytes)
            throws IOException {
        try (ByteArrayBuilder body = new ByteArrayBuilder()) {
            body.write(beginning.bytes());
            byte[] some = new byte[AT_ONCE];
            for (int n = rest.read(some); n >= 0; n = rest.read(some)) {
                if (body.size() + n > maxBytes) {
                    return null;
                }
                body.write(some, 0, n);
            }
            return body.toByteArray();
        }
    }

    private static void swallow(InputStream rest) throws IOException {
        byte[] some = new byte[AT_ONCE];
        long since = System.nanoTime();
        int swallowed = 0;
        for (int n = rest.read(some);
                n >= 0 && swallowed < SWALLOWED && System.nanoTime() - since < SWALLOWING_NANOS;
                n = rest.read(some)) {
            swallowed += n;
        }
    }

    private static ApiProblem tooLarge(long maxBytes) {
        return new ApiProblem(413, "the body must be at most " + maxBytes + " bytes", Map.of("Connection", "close"));
    }
}
