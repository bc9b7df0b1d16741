package dev.rowlock.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param ids only these faults; none: all
 * @param area only faults of it; empty: of all
 * @param lanes in their order
 * @param limit how long the tests of one fault may take
 */
record Options(
        List<String> ids,
        String area,
        List<Lane> lanes,
        Duration limit,
        boolean check,
        boolean allTests,
        boolean draw,
        long seed) {

    static Options of(String[] arguments) {
        List<String> ids = new ArrayList<>();
        String area = "";
        List<Lane> lanes = List.of(Lane.values());
        long limit = 240;
        boolean check = false;
        boolean allTests = false;
        boolean draw = false;
        long seed = 1;
        for (Iterator<String> words = Arrays.asList(arguments).iterator(); words.hasNext(); ) {
            String word = words.next();
            switch (word) {
                case "--area" -> area = words.next();
                case "--lane" -> lanes = List.of(Lane.of(words.next()));
                case "--limit" -> limit = Long.parseLong(words.next());
                case "--seed" -> seed = Long.parseLong(words.next());
                case "--check" -> check = true;
                case "--all-tests" -> allTests = true;
                case "--draw" -> draw = true;
                default -> ids.add(requireId(word));
            }
        }
        return new Options(List.copyOf(ids), area, lanes, Duration.ofSeconds(limit), check, allTests, draw, seed);
    }

    private static String requireId(String word) {
        if (word.startsWith("-")) {
            throw new IllegalArgumentException("unknown option " + word + "; --help tells those there are");
        }
        return word;
    }

    List<Fault> chosen(List<Fault> faults) {
        for (String id : ids) {
            if (faults.stream().noneMatch(fault -> fault.id().equals(id))) {
                throw new IllegalArgumentException("no fault has the id " + id);
            }
        }
        return faults.stream()
                .filter(fault -> ids.isEmpty() || ids.contains(fault.id()))
                .filter(fault -> area.isEmpty() || area.equals(fault.area()))
                .toList();
    }
}
