package dev.rowlock.faults;

import java.util.List;

/**
 * One fault of the list.
 *
 * @param origin {@code drawn} or {@code by hand}
 * @param kind what is done to the code
 * @param says what is wrong then
 * @param file a pattern such as {@code **}{@code /Acquiring.java}, for one file under {@code src/main} or {@code sql}
 * @param text what stands there once, however it is wrapped
 * @param with what takes its place
 * @param tests names or patterns of test classes that are added to those recorded
 */
record Fault(
        String id,
        String area,
        String origin,
        String kind,
        String says,
        String file,
        String text,
        String with,
        List<String> tests) {}
