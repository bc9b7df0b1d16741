package dev.rowlock.cli.ical;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reader of the lines of iCalendar: unfolds them, and cuts them into properties of events. */
final class IcalText {

    private IcalText() {}

    /**
     * Property of an event.
     *
     * @param parameters by their names in capitals
     */
    record IcalProperty(String name, Map<String, String> parameters, String value) {

        /** Returns the value as a person wrote it. */
        String text() {
            return value.replace("\\n", " ")
                    .replace("\\N", " ")
                    .replaceAll("\\\\([,;\\\\])", "$1")
                    .strip();
        }
    }

    /** Event as it stands in the file. */
    record IcalEvent(List<IcalProperty> properties) {

        Optional<IcalProperty> find(String name) {
            return properties.stream().filter(p -> p.name().equals(name)).findFirst();
        }

        List<IcalProperty> all(String name) {
            return properties.stream().filter(p -> p.name().equals(name)).toList();
        }

        String summary() {
            return find("SUMMARY").map(IcalProperty::text).orElse("");
        }
    }

    /** @throws WrongIcal it is none */
    static List<IcalEvent> events(String text) {
        List<String> open = new ArrayList<>();
        List<IcalEvent> events = new ArrayList<>();
        List<IcalProperty> properties = new ArrayList<>();
        boolean isCalendar = false;
        for (String line : unfolded(text)) {
            if (line.isBlank()) {
                continue;
            }
            IcalProperty property = property(line);
            String component = property.value().strip().toUpperCase(Locale.ROOT);
            if (!isCalendar && !(property.name().equals("BEGIN") && component.equals("VCALENDAR"))) {
                throw new WrongIcal("it is no iCalendar file: it does not begin with BEGIN:VCALENDAR");
            }
            isCalendar = true;
            if (property.name().equals("BEGIN")) {
                open.add(component);
                if (component.equals("VEVENT")) {
                    properties = new ArrayList<>();
                }
            } else if (property.name().equals("END")) {
                if (open.isEmpty() || !open.remove(open.size() - 1).equals(component)) {
                    throw new WrongIcal("END:" + component + " closes nothing that is open");
                }
                if (component.equals("VEVENT")) {
                    events.add(new IcalEvent(properties));
                }
            } else if (!open.isEmpty() && open.get(open.size() - 1).equals("VEVENT")) {
                properties.add(property);
            }
        }
        if (!isCalendar || !open.isEmpty()) {
            throw new WrongIcal(
                    isCalendar
                            ? "it breaks off: END:" + open.get(open.size() - 1) + " is missing"
                            : "it is no iCalendar file: it is empty");
        }
        return events;
    }

    /** Returns the zone that the file names for all of its events; empty: none. */
    static Optional<String> zone(String text) {
        return unfolded(text).stream()
                .filter(line -> line.startsWith("X-WR-TIMEZONE:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
    }

    /** Joins lines that are continued by a blank. */
    private static List<String> unfolded(String text) {
        String whole = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return List.of(whole.replaceAll("\r?\n[ \t]", "").split("\r?\n"));
    }

    private static IcalProperty property(String line) {
        int end = colon(line);
        if (end < 0) {
            throw new WrongIcal("it has a line without a colon: " + line.substring(0, Math.min(60, line.length())));
        }
        String[] parts = line.substring(0, end).split(";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
        Map<String, String> parameters = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            parameters.put(pair[0].toUpperCase(Locale.ROOT), pair.length < 2 ? "" : pair[1].replace("\"", ""));
        }
        return new IcalProperty(parts[0].strip().toUpperCase(Locale.ROOT), parameters, line.substring(end + 1));
    }

    /** Returns where the value begins: the first colon outside of quotes. */
    private static int colon(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '"') {
                quoted = !quoted;
            } else if (line.charAt(i) == ':' && !quoted) {
                return i;
            }
        }
        return -1;
    }
}
