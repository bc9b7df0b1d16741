package dev.rowlock.alert;

import java.util.List;

/**
 * What a message says of one alert.
 *
 * @param tail the last lines of the output, if it is known
 */
public record MessagePart(Kind kind, RaisedAlert alert, List<String> tail) {

    /** Why it is in the message. */
    public enum Kind {
        RAISED,
        REMINDER,
        RECOVERED
    }
}
