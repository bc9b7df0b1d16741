package dev.rowlock.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.job.FieldChange;
import java.util.ArrayList;
import java.util.List;

/** Limit on what is shown of the fields of many jobs, so that the whole answer stays readable, and small. */
final class ShownFields {

    /** Most fields of one job. */
    private static final int MOST_FIELDS = 60;
    /** Most characters of one value. */
    private static final int MOST_OF_VALUE = 500;
    /** Most characters of all values. */
    private static final int MOST_OF_ALL = 1_000_000;

    private int left = MOST_OF_ALL;

    List<FieldChange> of(List<FieldChange> changes) {
        List<FieldChange> shown = new ArrayList<>();
        for (FieldChange change : changes.subList(0, Math.min(MOST_FIELDS, changes.size()))) {
            shown.add(new FieldChange(change.field(), cut(change.before()), cut(change.after())));
        }
        if (changes.size() > MOST_FIELDS) {
            String more = "and " + (changes.size() - MOST_FIELDS) + " more";
            shown.add(new FieldChange("…", NullNode.getInstance(), TextNode.valueOf(more)));
        }
        return shown;
    }

    private JsonNode cut(JsonNode value) {
        String text = value.isTextual() ? value.textValue() : value.toString();
        int most = Math.min(MOST_OF_VALUE, left);
        if (text.length() <= most) {
            left -= text.length();
            return value;
        }
        left -= most;
        int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return TextNode.valueOf(text.substring(0, end) + "… (" + text.length() + " characters)");
    }
}
