package dev.rowlock.task.request;

import dev.rowlock.http.Answers;
import dev.rowlock.http.Callers;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.CommandOutput.Stretch;
import dev.rowlock.task.request.TaskOutputs.FollowSink;
import io.javalin.http.Context;
import java.io.IOException;

/**
 * Answer that is one stretch of an output without a gap, so that a client can count bytes and go on elsewhere. Headers
 * tell where it begins and how much there is; it ends where something was cut.
 */
final class UnbrokenOutput implements FollowSink {

    private final Context ctx;
    private final long from;
    private boolean begun;
    private boolean over;

    UnbrokenOutput(Context ctx, long from) {
        this.ctx = ctx;
        this.from = from;
    }

    @Override
    public String who() {
        return Callers.of(ctx).name();
    }

    @Override
    public Stretch next(long position, CommandOutput output) throws IOException {
        Stretch next = output.unbroken(position);
        if (begun && next.start() > position) {
            over = true;
            return new Stretch(position, new byte[0], position);
        }
        begin(next.start(), output.totalBytes());
        over = next.end() < output.totalBytes();
        return next;
    }

    /** Begins the answer, and tells the client so at once. */
    private void begin(long position, long end) throws IOException {
        if (!begun) {
            begun = true;
            ctx.header("Output-Position", Long.toString(position));
            ctx.header("Output-End", Long.toString(end));
            ctx.res().flushBuffer();
        }
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        Answers.moreWhileIn(ctx, bytes);
    }

    @Override
    public void idle() throws IOException {
        begin(from, from);
    }

    @Override
    public boolean isOver() {
        return over;
    }
}
