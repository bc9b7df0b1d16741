package dev.rowlock.offence;

/** What nobody may open onto. */
public final class Main {
    private Main() {}

    public static String name() {
        return "main";
    }
}
