package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Random;

/** What a job does. */
enum Command {
    SECOND(20),
    SHORT(14),
    EVERY(8),
    LONG(10),
    FAILING(8),
    ODD_EXIT_CODE(4),
    TIMES_OUT(6),
    STUBBORN(5),
    STUBBORN_FAMILY(4),
    CHATTY(6),
    SETSID(6),
    NOHUP(4),
    DOUBLE_FORK(4),
    MANUAL(5),
    ONCE(3);

    private static final int ODD = 3;

    private final int weight;

    Command(int weight) {
        this.weight = weight;
    }

    static Command weighted(Random random) {
        int total = 0;
        for (Command command : values()) {
            total += command.weight;
        }
        int left = random.nextInt(total);
        for (Command command : values()) {
            left -= command.weight;
            if (left < 0) {
                return command;
            }
        }
        throw new IllegalStateException("weights do not add up");
    }

    String schedule(Random random) {
        return switch (this) {
            case SECOND -> "* * * * * *";
            case EVERY -> "@every " + (2 + random.nextInt(9)) + "s";
            case MANUAL -> "@manual";
            case ONCE -> "0/" + (17 + random.nextInt(20)) + " * * * * *";
            case LONG, STUBBORN, STUBBORN_FAMILY, TIMES_OUT -> step(random, 6, 20);
            default -> step(random, 4, 15);
        };
    }

    private static String step(Random random, int min, int max) {
        int step = min + random.nextInt(max - min + 1);
        return random.nextInt(step) + "/" + step + " * * * * *";
    }

    String body(Random random) {
        return switch (this) {
            case SECOND, ONCE -> ":";
            case SHORT, MANUAL -> "pass " + random.nextInt(5);
            case EVERY -> "pass " + random.nextInt(3);
            case LONG -> "pass " + (12 + random.nextInt(20));
            case FAILING -> "pass " + random.nextInt(3) + "; (exit " + (1 + random.nextInt(100)) + ")";
            case ODD_EXIT_CODE -> "(exit " + ODD + ")";
            case TIMES_OUT -> "pass 40";
            case STUBBORN -> "trap '' TERM; pass 40";
            case STUBBORN_FAMILY -> MarkLog.child("setsid", "trap \"\" TERM;") + " trap '' TERM; pass 40";
            case CHATTY -> "yes 'all work and no play' | head -c " + (100_000 + random.nextInt(4_000_000)) + "; pass 1";
            case SETSID -> MarkLog.child("setsid", "") + " pass 2";
            case NOHUP -> MarkLog.child("nohup", "") + " pass 1";
            case DOUBLE_FORK -> "( ( " + MarkLog.child("setsid", "") + " ) & ); pass 2";
        };
    }

    void settings(ObjectNode definition) {
        switch (this) {
            case TIMES_OUT, STUBBORN, STUBBORN_FAMILY -> definition.put("timeout", "2s");
            case ODD_EXIT_CODE -> definition.putArray("successExitCodes").add(0).add(ODD);
            default -> {}
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
