package dev.rowlock.fuzz;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param index by which, with the seed, it can be made again
 * @param operation null: no route in particular
 * @param caller null: it is no request that anybody could have sent
 * @param sound whether it is HTTP, for a path that only this operation has, so that the contract says what may come back
 * @param stops whether it has to be refused, whoever sends it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Shot(
        long index,
        @Nullable Operation operation,
        Stage.@Nullable Caller caller,
        boolean sound,
        boolean stops,
        boolean head,
        byte[] bytes) {

    /** Whether the contract says that it has to be refused. */
    boolean isRefused() {
        return stops || (operation != null && caller != null && !caller.may(operation));
    }

    /** By which what it has written is found. */
    String id() {
        return "fuzz-" + index;
    }

    /** Its beginning, for people. */
    String text() {
        String text = new String(bytes, 0, Math.min(bytes.length, 1_500), StandardCharsets.UTF_8);
        return "request " + index + ", " + (caller == null ? "malformed" : caller.name()) + ":\n"
                + text.replace("\r\n", "\n").replaceAll("(?m)^", "    ");
    }
}
