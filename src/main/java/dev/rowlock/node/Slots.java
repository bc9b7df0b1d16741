package dev.rowlock.node;

/** Slots of this node, one for each running command, and whether any task waits for one. Thread-safe; needs no lock. */
public final class Slots {

    private final LocalTasks localTasks;
    private volatile int capacity;
    private volatile boolean wanted;
    private volatile boolean lacked;

    Slots(LocalTasks localTasks, int capacity) {
        this.localTasks = localTasks;
        this.capacity = capacity;
    }

    /** Sets their number. Running commands go on, even if they are more. */
    public void resize(int slots) {
        capacity = slots;
    }

    /** Returns how many commands may run at once. */
    public int capacity() {
        return capacity;
    }

    /** Returns how many further commands may be started; none while too many results wait to be recorded. */
    public int free() {
        return localTasks.isClogged() ? 0 : Math.max(0, capacity - localTasks.running());
    }

    /** Returns whether there are any that no task waits for. */
    public boolean areLeft() {
        return free() > 0 && !wanted && !lacked;
    }

    /** Returns whether so many are free that filling them is worth a transaction. */
    public boolean haveRoom() {
        return free() >= Math.max(1, capacity / 2);
    }

    /** Returns whether tasks that are prepared here and due wait for slots, and a good part of these is free. */
    public boolean areWorthFilling() {
        return wanted && haveRoom();
    }

    /** Returns whether idle tasks that are due were left for want of a slot. */
    public boolean areLacked() {
        return lacked;
    }

    /** Notes whether a task that is prepared here and due waits for a slot, for {@link #areWorthFilling}. */
    public void want(boolean waits) {
        wanted = waits;
    }

    /** Notes whether idle tasks that are due were left, for {@link #areLacked}. */
    public void lack(boolean leftLying) {
        lacked = leftLying;
    }
}
