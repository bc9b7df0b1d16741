package dev.rowlock.http;

import dev.rowlock.access.Caller;
import dev.rowlock.access.Crowded;
import dev.rowlock.access.Shares;
import io.javalin.http.Context;
import io.javalin.http.Handler;

/**
 * Shares of the threads that serve requests. Each known caller has one by name. Strangers have a quarter of all
 * together, and half of that per address, as many of them may be behind one proxy. A share is taken when the beginning
 * of the body has come and the caller is known.
 */
public final class RequestShares {

    private final Shares known;
    private final Shares strangers;
    private final RequestCounts requests;

    public RequestShares(int atOnce, RequestCounts requests) {
        this.known = new Shares("requests", atOnce);
        this.strangers = new Shares("requests without a token", Math.max(2, atOnce / 4));
        this.requests = requests;
    }

    Handler ofStrangers(Handler handler) {
        return ctx -> serve(strangers, Shares.ofAddress(ctx.req().getRemoteAddr()), ctx, handler);
    }

    void ofCaller(Context ctx, Caller caller, Handler handler) throws Exception {
        serve(known, Shares.of(caller), ctx, handler);
    }

    @SuppressWarnings("try") // the share is held, not used
    private void serve(Shares shares, String who, Context ctx, Handler handler) throws Exception {
        try (Shares.Share share = take(shares, who)) {
            handler.handle(ctx);
        }
    }

    private Shares.Share take(Shares shares, String who) {
        try {
            return shares.take(who);
        } catch (Crowded e) {
            requests.refusedOne();
            throw e;
        }
    }
}
