package dev.rowlock.freeze;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.Place;
import dev.rowlock.field.Times;
import dev.rowlock.freeze.FreezeRequest.Sent;
import java.time.Instant;
import java.util.ArrayList;

/** JSON of freezes: for people, and what of it is stored. */
public final class FreezeJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private FreezeJson() {}

    /** State of a freeze. */
    public enum FreezeState {
        PLANNED,
        ACTIVE,
        ENDED
    }

    public static FreezeState state(Freeze freeze, Instant now) {
        return now.isBefore(freeze.from())
                ? FreezeState.PLANNED
                : freeze.isInForce(now) ? FreezeState.ACTIVE : FreezeState.ENDED;
    }

    /** Returns what the API shows of it. */
    public static ObjectNode of(Freeze freeze, Instant now) {
        ObjectNode node = said(freeze);
        node.put("id", freeze.id());
        node.put("state", state(freeze, now).name());
        node.put("by", freeze.by());
        node.put("createdAt", Times.text(freeze.createdAt()));
        node.put("endedBy", freeze.endedBy());
        return node;
    }

    /** Returns what somebody said of it. */
    public static ObjectNode said(Freeze freeze) {
        FreezeScope scope = freeze.scope();
        return FreezeRequest.TABLE.write(new Sent(
                freeze.from(),
                freeze.until(),
                scope.namespaces(),
                scope.labels(),
                scope.jobs(),
                scope.all(),
                freeze.then(),
                freeze.reason()));
    }

    /** Returns the stored form of a scope. */
    public static String stored(FreezeScope scope) {
        ObjectNode node = FreezeRequest.TABLE.write(new Sent(
                null, null, scope.namespaces(), scope.labels(), scope.jobs(), scope.all(), FreezeEffect.HOLD, ""));
        return node.retain("namespaces", "labels", "jobs", "all").toString();
    }

    /** Reads the stored form of a scope. */
    public static FreezeScope scope(String stored) {
        try {
            Sent read =
                    FreezeRequest.TABLE.read((ObjectNode) MAPPER.readTree(stored), new Place("", new ArrayList<>()));
            return new FreezeScope(read.namespaces(), read.labels(), read.jobs(), read.all());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the scope of a freeze is no JSON", e);
        }
    }
}
