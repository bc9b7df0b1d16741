package dev.rowlock.api;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.rowlock.control.BodyRoom;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a request, read whole before anything is done with it. */
final class RequestBody {

    /** How much of a body that is too large is read and dropped, so that its sender gets to see the refusal. */
    private static final int SWALLOWED = 4 << 20;

    private static final String ATTRIBUTE = RequestBody.class.getName();

    /** Whatever changes something: no part of that is done before the request has come whole. */
    private static final Set<HandlerType> WITH_BODY =
            Set.of(HandlerType.POST, HandlerType.PUT, HandlerType.PATCH, HandlerType.DELETE);

    private RequestBody() {}

    /**
     * Waits until the body has come, and keeps it for {@link #of}; answers its length.
     *
     * @param room takes what has come of it
     */
    static int await(Context ctx, long maxBytes, BodyRoom.Arriving room) {
        String coding = ctx.header("Transfer-Encoding");
        boolean isEmpty = ctx.req().getContentLengthLong() <= 0 && coding == null;
        if (isEmpty || !WITH_BODY.contains(ctx.method())) {
            return 0;
        }
        if (coding != null && !coding.equalsIgnoreCase("chunked")) { // the server undoes chunks alone, without a word
            throw new ApiProblem(400, "Transfer-Encoding \"" + coding + "\" is not understood, only chunked");
        }
        byte[] body = read(ctx, maxBytes, room);
        ctx.attribute(ATTRIBUTE, body);
        return body.length;
    }

    /** The body that was waited for; one that was not may be small only. */
    static byte[] of(Context ctx, long maxBytes) {
        byte[] body = ctx.attribute(ATTRIBUTE);
        if (body == null) {
            // No room is taken for it, and what else the request holds is held while it comes.
            return read(ctx, Math.min(maxBytes, BodyRoom.FREE), null);
        }
        if (body.length > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return body;
    }

    /** Never keeps more than one byte beyond the limit. */
    private static byte[] read(Context ctx, long maxBytes, BodyRoom.@Nullable Arriving room) {
        try (ByteArrayBuilder body = new ByteArrayBuilder()) {
            InputStream sent = ctx.req().getInputStream();
            ClientPace pace = ClientPace.of(ctx);
            boolean announced = ctx.req().getContentLengthLong() > maxBytes;
            if (announced || pace.copy(sent, (int) maxBytes + 1, keep(body, room)) > maxBytes) {
                // To close on a client that is still sending resets the connection, and the answer is lost with it.
                pace.copy(sent, SWALLOWED, (bytes, n) -> {});
                throw tooLarge(maxBytes);
            }
            return body.toByteArray();
        } catch (IOException e) {
            throw new ApiProblem(400, "the body did not arrive whole: " + e.getMessage());
        }
    }

    private static ClientPace.Sink keep(ByteArrayBuilder body, BodyRoom.@Nullable Arriving room) {
        return (bytes, n) -> {
            if (room != null) {
                room.grow(n);
            }
            body.write(bytes, 0, n);
        };
    }

    private static ApiProblem tooLarge(long maxBytes) {
        return new ApiProblem(413, "the body must be at most " + maxBytes + " bytes", Map.of("Connection", "close"));
    }
}
