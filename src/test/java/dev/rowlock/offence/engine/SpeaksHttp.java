package dev.rowlock.offence.engine;

/** An offence, kept to see the rules fail. */
final class SpeaksHttp {
    io.javalin.http.@org.jspecify.annotations.Nullable Context context;
}
