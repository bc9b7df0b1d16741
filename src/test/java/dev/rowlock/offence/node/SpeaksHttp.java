package dev.rowlock.offence.node;

/** An offence, kept to see the rules fail. */
final class SpeaksHttp {
    io.javalin.http.@org.jspecify.annotations.Nullable Context context;
}
