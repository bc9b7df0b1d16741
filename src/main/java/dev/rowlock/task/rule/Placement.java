package dev.rowlock.task.rule;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Placement of tasks on a node, by the selectors that it knows. One that it does not know yet is in none of the sets.
 *
 * @param mine the selectors that the node matches, if it takes work
 * @param nobodys those that no node matches which takes work. Their tasks are found by every node when they are due, a
 *     drained one included: whoever fires them holds them
 * @param others those that only other nodes match
 */
public record Placement(Set<Integer> mine, Set<Integer> nobodys, Set<Integer> others) {

    /** Selector of tasks that any node may run. */
    public static final int ANY = 0;

    /** Placement as long as nothing is known. */
    public static final Placement NOTHING = new Placement(Set.of(), Set.of(), Set.of());

    public Placement {
        mine = Set.copyOf(mine);
        nobodys = Set.copyOf(nobodys);
        others = Set.copyOf(others);
    }

    /**
     * Node that may run tasks.
     *
     * @param takesWork false: it is drained or stopping
     */
    public record CandidateNode(String name, Map<String, String> labels, boolean takesWork) {

        public CandidateNode {
            labels = Map.copyOf(labels);
        }

        /** Returns whether it may start what has this selector. */
        public boolean takes(Selector selector) {
            return takesWork && selector.matches(name, labels);
        }
    }

    /**
     * Returns the placement for a node.
     *
     * @param self the name of the node
     * @param nodes those that are alive
     * @param selectors by their ids, {@link #ANY} included
     */
    public static Placement of(String self, List<CandidateNode> nodes, Map<Integer, Selector> selectors) {
        Set<Integer> mine = new TreeSet<>();
        Set<Integer> nobodys = new TreeSet<>();
        Set<Integer> others = new TreeSet<>();
        selectors.forEach((id, selector) -> {
            List<CandidateNode> takers =
                    nodes.stream().filter(node -> node.takes(selector)).toList();
            boolean isMine = takers.stream().anyMatch(node -> node.name().equals(self));
            (takers.isEmpty() ? nobodys : isMine ? mine : others).add(id);
        });
        return new Placement(mine, nobodys, others);
    }

    /** Returns whether the node prepares such tasks ahead of their time. */
    public boolean isMine(int selector) {
        return mine.contains(selector);
    }

    /** Returns whether such tasks are held by whoever finds them. */
    public boolean isNobodys(int selector) {
        return nobodys.contains(selector);
    }

    /** Returns whether it has no reason to look for tasks. */
    public boolean isIdle() {
        return mine.isEmpty() && nobodys.isEmpty();
    }
}
