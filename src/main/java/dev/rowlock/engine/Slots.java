package dev.rowlock.engine;

/**
 * The slots of this node, one for each running command, and whether any task waits for one. Thread-safe; needs no lock.
 */
public final class Slots {

    private final LocalTasks localTasks;
    private volatile int capacity;
    private volatile boolean wanted;
    private volatile boolean lacked;

    Slots(LocalTasks localTasks, int capacity) {
        this.localTasks = localTasks;
        this.capacity = capacity;
    }

    /** Has so many from now on. What runs goes on, even if it is more. */
    public void resize(int slots) {
        capacity = slots;
    }

    /** How many commands may run at once. */
    public int capacity() {
        return capacity;
    }

    /** How many further commands may be started; none while too many results wait to be recorded. */
    public int free() {
        return localTasks.isClogged() ? 0 : Math.max(0, capacity - localTasks.running());
    }

    /** Whether there are any that no task waits for. */
    public boolean areLeft() {
        return free() > 0 && !wanted && !lacked;
    }

    /** Whether so many are free that filling them is worth a transaction. */
    public boolean haveRoom() {
        return free() >= Math.max(1, capacity / 2);
    }

    /** Whether tasks that are prepared here and due wait for slots, and a good part of these is free. */
    public boolean areWorthFilling() {
        return wanted && haveRoom();
    }

    /** Whether idle tasks that are due were left lying for want of a slot. */
    public boolean areLacked() {
        return lacked;
    }

    /** Whether a task that is prepared here and due waits for a slot, for {@link #areWorthFilling}. */
    public void want(boolean waits) {
        wanted = waits;
    }

    /** For {@link #areLacked}. */
    public void lack(boolean leftLying) {
        lacked = leftLying;
    }
}
