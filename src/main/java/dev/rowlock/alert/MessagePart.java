package dev.rowlock.alert;

import java.util.List;

/**
 * Part of a message about one alert.
 *
 * @param tail the last lines of the output, if it is known
 */
public record MessagePart(PartKind kind, RaisedAlert alert, List<String> tail) {

    /** Reason why the alert is in the message. */
    public enum PartKind {
        RAISED,
        REMINDER,
        RECOVERED
    }
}
