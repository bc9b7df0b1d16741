package dev.rowlock.chaos;

import java.util.List;

/** Something wrong that begins and ends. */
interface Fault {

    /** In a few words, for the log. */
    String what();

    /** @throws Skipped it cannot be done here */
    void begin() throws Exception;

    /**
     * The uptime from which on occurrences have to be in time again; what that means for each kind is {@link
     * Punctuality}'s. 0: from the beginning of the fault on; negative: this fault is not judged.
     */
    default long goodFrom() {
        return 0;
    }

    /** What was seen to come back too late; counts if no other fault was near. */
    default List<String> complaints() {
        return List.of();
    }

    /** Undoes it. Called once after {@link #begin}, also if that threw. */
    void end() throws Exception;

    /** This fault cannot be injected here; the message says why. */
    final class Skipped extends Exception {
        private static final long serialVersionUID = 1L;

        Skipped(String why) {
            super(why);
        }
    }

    /** Two steps as a fault. */
    static Fault of(String what, Step begin, Step end) {
        return new Fault() {
            @Override
            public String what() {
                return what;
            }

            @Override
            public void begin() throws Exception {
                begin.take();
            }

            @Override
            public void end() throws Exception {
                end.take();
            }
        };
    }

    /** What is done. */
    interface Step {
        void take() throws Exception;
    }
}
