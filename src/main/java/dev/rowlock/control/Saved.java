package dev.rowlock.control;

import java.util.List;

/**
 * A job that was saved.
 *
 * @param created it did not exist before
 * @param warnings what a person should know before relying on its schedule
 */
public record Saved(JobView view, boolean created, List<String> warnings) {}
