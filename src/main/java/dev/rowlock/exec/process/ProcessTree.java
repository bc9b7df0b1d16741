package dev.rowlock.exec.process;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assignment of processes to commands at one moment, by any of these marks: seen there before; in the process session
 * of the command's first process; in its control group; an environment that names the launch; a parent that belongs.
 * The page of this room says what escapes.
 */
public final class ProcessTree<T> {

    /** Marks of one command. */
    public interface Marks {

        /** Returns the value of {@code ROWLOCK_LAUNCH_ID}. */
        String launchId();

        /** Returns the process session id: the pid of the first process. */
        int session();

        /** Returns a lower bound of the start of its processes. */
        long bornTicks();

        /** Returns whether the first process was collected, so that its pid may be another's by now. */
        boolean firstIsGone();

        /** Returns the processes seen before. */
        Set<Proc.Id> known();

        /** Returns the ids of the processes in its control group, if it has one. */
        Set<Integer> members();
    }

    private final Map<Integer, Proc> byPid = new HashMap<>();
    private final Map<Integer, T> owners = new HashMap<>();
    private final Set<Integer> strangers = new HashSet<>();

    private ProcessTree(List<Proc> processes) {
        for (Proc proc : processes) {
            byPid.put(proc.pid(), proc);
        }
    }

    /**
     * Returns the processes of each of the commands, ancestors first: ending them in this order leaves no shell the
     * time to go on with its next line because its child has ended. Commands without any are left out.
     */
    public static <T extends Marks> Map<T, List<Proc>> of(ProcFs procFs, Collection<T> commands) {
        ProcessTree<T> tree = new ProcessTree<>(procFs.processes());
        Map<Integer, T> bySession = new HashMap<>();
        Map<String, T> byLaunchId = new HashMap<>();
        Map<Proc.Id, T> byKnown = new HashMap<>();
        Map<Integer, T> byGroup = new HashMap<>();
        long oldest = Long.MAX_VALUE;
        for (T command : commands) {
            Proc first = tree.byPid.get(command.session());
            if (!command.firstIsGone() || first == null) {
                bySession.put(command.session(), command);
            }
            byLaunchId.put(command.launchId(), command);
            command.known().forEach(id -> byKnown.put(id, command));
            command.members().forEach(pid -> byGroup.put(pid, command));
            oldest = Math.min(oldest, command.bornTicks());
        }
        for (Proc proc : tree.byPid.values()) {
            T owner = byKnown.getOrDefault(proc.id(), byGroup.get(proc.pid()));
            if (owner == null && proc.startTicks() >= oldest) {
                owner = bySession.get(proc.session());
                if (owner == null) {
                    String launchId = procFs.environment(proc.pid(), "ROWLOCK_LAUNCH_ID");
                    owner = launchId == null ? null : byLaunchId.get(launchId);
                }
            }
            tree.claim(proc, owner);
        }
        return tree.withDescendants();
    }

    /** Returns the processes of a session of which only the id is known, ancestors first. */
    static List<Proc> ofSession(ProcFs procFs, String sessionId, Set<Proc.Id> known) {
        ProcessTree<String> tree = new ProcessTree<>(procFs.processes());
        Set<Integer> sessions = new HashSet<>();
        for (Proc proc : tree.byPid.values()) {
            if (known.contains(proc.id()) || sessionId.equals(procFs.environment(proc.pid(), "ROWLOCK_SESSION"))) {
                tree.claim(proc, sessionId);
                sessions.add(proc.session());
            }
        }
        Proc self = tree.byPid.get(Math.toIntExact(ProcessHandle.current().pid()));
        sessions.remove(0);
        sessions.remove(self == null ? 0 : self.session());
        for (Proc proc : tree.byPid.values()) {
            if (sessions.contains(proc.session())) {
                tree.claim(proc, sessionId);
            }
        }
        return tree.withDescendants().getOrDefault(sessionId, List.of());
    }

    private void claim(Proc proc, @Nullable T owner) {
        if (owner != null
                && proc.pid() > 1
                && proc.pid() != ProcessHandle.current().pid()) {
            owners.put(proc.pid(), owner);
        }
    }

    private Map<T, List<Proc>> withDescendants() {
        Map<T, List<Proc>> found = new HashMap<>();
        for (Proc proc : byPid.values()) {
            T owner = ownerOf(proc);
            if (owner != null) {
                found.computeIfAbsent(owner, o -> new ArrayList<>()).add(proc);
            }
        }
        found.values().forEach(processes -> processes.sort(Comparator.comparingInt(this::ancestors)));
        return found;
    }

    private int ancestors(Proc proc) {
        int ancestors = 0;
        Proc at = byPid.get(proc.parent());
        while (at != null && ancestors <= byPid.size()) {
            ancestors++;
            at = byPid.get(at.parent());
        }
        return ancestors;
    }

    private @Nullable T ownerOf(Proc proc) {
        List<Integer> path = new ArrayList<>();
        T owner = null;
        Proc at = proc;
        while (at != null
                && at.pid() > 1
                && owner == null
                && !strangers.contains(at.pid())
                && path.size() <= byPid.size()) {
            owner = owners.get(at.pid());
            path.add(at.pid());
            at = byPid.get(at.parent());
        }
        for (int pid : path) {
            if (owner == null) {
                strangers.add(pid);
            } else {
                owners.put(pid, owner);
            }
        }
        return owner;
    }
}
