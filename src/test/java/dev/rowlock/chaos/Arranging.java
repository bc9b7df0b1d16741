package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.exec.process.Uptime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operators who change the limits of groups, give nodes labels and slots, and drain them. Each thing is set to the next
 * value only when the last one is in force for certain, so that the checks can tell what held when.
 */
final class Arranging {

    /** A request that nobody answered may still be carried out, by a node that was frozen, for so long. */
    private static final long MAY_COME_LATE_MILLIS = 25_000;

    /**
     * What the first node is left with, so that each selector suits some node: what is run again waits for one without
     * an end. All others are left without labels, as some selectors ask for that, one of them in the zone of the second
     * node, see {@link Settling}.
     */
    private static final Map<String, String> WANTED = Map.of("disk", "ssd", "gpu", "yes");

    /**
     * The number of the node that has few slots at times. None of the first two: those suit selectors that no other
     * node may suit in the end, and there everything has to come to its turn.
     */
    private static final int SMALL = 2;

    private static final Duration AT_FIRST = Duration.ofSeconds(10);
    private static final int NO_LIMIT = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Operators operators;
    private final Random random;
    private final Random further;
    private final List<Setting<?>> settings = new ArrayList<>();
    private final Map<String, Setting<Integer>> groups = new TreeMap<>();
    private final @Nullable String small;
    private final @Nullable Setting<Integer> slots;
    private final List<Setting<DrawnCalendar>> calendars = new ArrayList<>();

    /**
     * @param further what decides on slots, so that the rest stays what it was
     * @param dates what decides on calendars
     */
    Arranging(
            Operators operators,
            Conditions conditions,
            List<String> nodes,
            Set<Policy> policies,
            Random random,
            Random further,
            CalendarDraw dates) {
        this.operators = operators;
        this.random = random;
        this.further = further;
        if (policies.contains(Policy.GROUP)) {
            PolicyDraw.GROUPS.forEach(group -> groups.put(
                    group,
                    new Setting<>(conditions.limit(group), () -> limit(group), limit -> put(group, limit), NO_LIMIT)));
            PolicyDraw.GROUPS.forEach(group -> settings.add(groups.get(group)));
        }
        for (String node : nodes) {
            if (policies.contains(Policy.NODES)) {
                Map<String, String> calm = node.equals(nodes.get(0)) ? WANTED : Map.of();
                settings.add(
                        new Setting<>(conditions.patched(node), this::labels, labels -> patch(node, labels), calm));
            }
            if (policies.contains(Policy.DRAIN)) {
                settings.add(new Setting<>(
                        conditions.drained(node), () -> random.nextInt(4) == 0, is -> drain(node, is), false));
            }
        }
        String few = policies.contains(Policy.FULL_NODE) && nodes.size() > SMALL ? nodes.get(SMALL) : null;
        this.small = few;
        this.slots = few == null
                ? null
                : new Setting<>(conditions.slots(few), this::slots, n -> resize(few, n), Conditions.SLOTS);
        if (policies.contains(Policy.CALENDARS)) {
            CalendarDraw.NAMES.forEach(name -> calendars.add(new Setting<>(
                    conditions.calendar(name), () -> dates.draw(name), to -> put(name, to), CalendarDraw.calm(name))));
        }
    }

    /** What is asked of the product. */
    private record Request(String method, String path, String body) {}

    /** While nothing is wrong yet: everything has its first value. Nodes that have just started may refuse at first. */
    void begin() throws InterruptedException {
        for (Setting<?> setting : all()) {
            setting.next();
            long until = Uptime.millis() + AT_FIRST.toMillis();
            while (!setting.isCertain && Uptime.millis() < until) {
                setting.next();
            }
            if (!setting.isCertain) {
                throw new IllegalStateException("could not be set: " + setting);
            }
        }
    }

    /** One request. */
    void act() throws InterruptedException {
        if (!settings.isEmpty()) {
            settings.get(random.nextInt(settings.size())).next();
        }
    }

    /** Sets everything such that nothing has to wait. False: try again. */
    boolean restore() throws InterruptedException {
        boolean all = true;
        for (Setting<?> setting : all()) {
            all &= setting.calm();
        }
        return all;
    }

    private List<Setting<?>> all() {
        List<Setting<?>> all = new ArrayList<>(settings);
        if (slots != null) {
            all.add(slots);
        }
        all.addAll(calendars);
        return all;
    }

    /** Changes a calendar; there is one. */
    void changeCalendar(Random own) throws InterruptedException {
        calendars.get(own.nextInt(calendars.size())).next();
    }

    /** Gives the small node another number of slots, if there is one. */
    void resizeOne() throws InterruptedException {
        if (slots != null) {
            slots.next();
        }
    }

    /** The node that has few slots now, for certain; and how many. */
    Optional<Map.Entry<String, Integer>> small() {
        return slots == null || small == null || !slots.isCertain || slots.timeline.last() == Conditions.SLOTS
                ? Optional.empty()
                : Optional.of(Map.entry(small, slots.timeline.last()));
    }

    /** The groups that there are. */
    List<String> groups() {
        return List.copyOf(groups.keySet());
    }

    /** Gives a group this limit, which stays until {@link #letGo}. False: not at the moment. */
    boolean hold(String group, int limit) throws InterruptedException {
        return groups.get(group).hold(limit);
    }

    /** Gives a group that was held another limit, and any again later. False: not at the moment. */
    boolean letGo(String group) throws InterruptedException {
        return groups.get(group).letGo(most(group));
    }

    /** Whether the limit that was asked for last is in force for certain; if not, it is asked for again. */
    boolean isCertain(String group) throws InterruptedException {
        Setting<Integer> setting = groups.get(group);
        if (!setting.isCertain) {
            setting.send(setting.timeline.last());
        }
        return setting.isCertain;
    }

    private int limit(String group) {
        int most = most(group);
        return random.nextInt(6) == 0 ? 0 : most + random.nextInt(2);
    }

    private static int most(String group) {
        return 1 << PolicyDraw.GROUPS.indexOf(group);
    }

    /** As many as others at times, else so few that some runs fill the node. */
    private int slots() {
        return further.nextBoolean() ? Conditions.SLOTS : 1 + further.nextInt(3);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        if (random.nextInt(4) > 0) {
            labels.put("disk", PolicyDraw.DISKS.get(random.nextInt(PolicyDraw.DISKS.size())));
        }
        if (random.nextBoolean()) {
            labels.put("gpu", "yes");
        }
        return labels;
    }

    private static Request put(String group, int limit) {
        return new Request("PUT", "/api/v1/groups/" + group, "{\"limit\": " + limit + "}");
    }

    private static Request put(String calendar, DrawnCalendar to) {
        return new Request("PUT", "/api/v1/calendars/" + calendar, to.json().toString());
    }

    /** Names every label that is ever patched, so that it does not matter which patches came before. */
    private static Request patch(String node, Map<String, String> labels) {
        ObjectNode body = JSON.createObjectNode();
        ObjectNode patch = body.putObject("labels");
        List.of("disk", "gpu").forEach(label -> patch.put(label, labels.get(label)));
        return new Request("PATCH", "/api/v1/cluster/nodes/" + node, body.toString());
    }

    private static Request resize(String node, int slots) {
        return new Request("PATCH", "/api/v1/cluster/nodes/" + node, "{\"capacity\": " + slots + "}");
    }

    private static Request drain(String node, boolean drained) {
        return new Request("POST", "/api/v1/cluster/nodes/" + node + (drained ? "/drain" : "/undrain"), "");
    }

    /** One thing that can be set. */
    private final class Setting<T> {
        private final Timeline<T> timeline;
        private final Supplier<T> draw;
        private final Function<T, Request> request;
        private final T calm;
        private boolean isCertain = true;
        private boolean held;
        private long unansweredAt = -MAY_COME_LATE_MILLIS;

        Setting(Timeline<T> timeline, Supplier<T> draw, Function<T, Request> request, T calm) {
            this.timeline = timeline;
            this.draw = draw;
            this.request = request;
            this.calm = calm;
        }

        void next() throws InterruptedException {
            if (!held && isQuiet()) {
                set(draw.get());
            } else if (!isCertain) {
                send(timeline.last());
            }
        }

        private boolean isQuiet() {
            return isCertain && Uptime.millis() - unansweredAt > MAY_COME_LATE_MILLIS;
        }

        private boolean hold(T value) throws InterruptedException {
            if (held || !isQuiet()) {
                return false;
            }
            held = true;
            set(value);
            return true;
        }

        private boolean letGo(T value) throws InterruptedException {
            if (!held || !isQuiet()) {
                return false;
            }
            held = false;
            set(value);
            return true;
        }

        private boolean calm() throws InterruptedException {
            held = false;
            if (!isQuiet()) {
                next();
            } else if (!timeline.last().equals(calm)) {
                set(calm);
            }
            return isCertain && timeline.last().equals(calm);
        }

        private void set(T value) throws InterruptedException {
            timeline.asked(value, Uptime.millis());
            isCertain = false;
            send(value);
        }

        private void send(T value) throws InterruptedException {
            long at = Uptime.millis();
            Request next = request.apply(value);
            if (operators.send(next.method, next.path, next.body) / 100 == 2) {
                timeline.certain(Uptime.millis());
                isCertain = true;
            } else {
                unansweredAt = at;
            }
        }

        @Override
        public String toString() {
            return request.apply(timeline.last()).toString();
        }
    }
}
