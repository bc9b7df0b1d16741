package dev.rowlock;

/** Delayed action, which may be called off before it begins. */
final class Later extends Thread {

    private final long millis;
    private final Runnable what;
    private boolean off;

    Later(long millis, Runnable what) {
        super("later");
        setDaemon(true);
        this.millis = millis;
        this.what = what;
    }

    @Override
    public synchronized void run() {
        long end = System.nanoTime() + millis * 1_000_000;
        try {
            for (long left = millis; !off && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
            if (!off) {
                what.run();
            }
        } catch (InterruptedException e) {
            interrupt(); // whoever ends this has no more need of it
        }
    }

    /** Calls the action off; one that has begun is over when this returns. */
    synchronized void callOff() {
        off = true;
        notifyAll();
    }
}
