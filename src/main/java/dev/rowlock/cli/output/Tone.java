package dev.rowlock.cli.output;

/** Meaning of a text, which a terminal shows as a colour. */
public enum Tone {
    PLAIN(""),
    GOOD("32"),
    BAD("31"),
    WARNING("33"),
    FAINT("2"),
    STRONG("1");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    /** Returns the tone of an outcome, or of a result. */
    static Tone ofOutcome(String outcome) {
        return switch (outcome) {
            case "SUCCEEDED" -> GOOD;
            case "FAILED", "TIMED_OUT", "LOST" -> BAD;
            case "KILLED", "SKIPPED", "MISSED", "CANCELLED" -> WARNING;
            default -> PLAIN;
        };
    }

    /** Returns the text in this tone; unchanged if the tone is plain, the text blank, or there is no colour. */
    public String paint(String text, boolean colour) {
        return !colour || code.isEmpty() || text.isBlank() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
