package dev.rowlock.api;

import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Endpoints;
import io.javalin.http.Context;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Routes of the web page at {@code /}, and of its parts below {@code /ui}. The path of a part holds a hash of all of
 * them, so a browser may cache it forever. While a cluster is upgraded, the page of one node may ask another, which has
 * other parts: it gets what is there, and is told not to cache it.
 */
final class PageRoutes {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final Pattern GZIP = Pattern.compile("(^|[,\\s])(gzip|\\*)\\s*(;\\s*q=(1|0\\.0*[1-9]).*)?(,|$)");

    private @Nullable PageAssets assets;

    void register(Endpoints endpoints) {
        endpoints.open("/", this::page);
        endpoints.open("/ui/{tree}/{room}/{file}", this::part);
    }

    private void page(Context ctx) {
        secure(ctx);
        Answers.whole(ctx.contentType("text/html;charset=utf-8"), assets().page());
    }

    private void part(Context ctx) {
        secure(ctx);
        String path = ctx.pathParam("room") + "/" + ctx.pathParam("file");
        PageAssets.@Nullable Asset asset = assets().find(path);
        if (asset == null) {
            throw new ApiProblem(404, "the page has no part " + path + "; open / again");
        }
        if (ctx.pathParam("tree").equals(assets().tree())) {
            ctx.header("Cache-Control", FOR_EVER);
        }
        ctx.contentType(asset.type()).header("Vary", "Accept-Encoding");
        String accepted = ctx.header("Accept-Encoding");
        if (accepted != null && GZIP.matcher(accepted).find()) {
            Answers.whole(ctx.header("Content-Encoding", "gzip"), asset.gzip());
        } else {
            Answers.whole(ctx, asset.plain());
        }
    }

    private static void secure(Context ctx) {
        ctx.header("Content-Security-Policy", POLICY).header("Referrer-Policy", "no-referrer");
    }

    private synchronized PageAssets assets() {
        if (assets == null) {
            assets = PageAssets.load();
        }
        return assets;
    }
}
