package dev.rowlock.control;

import java.util.List;

/**
 * Jobs of a list, at least one unless there is none.
 *
 * @param more whether others follow the last of them
 */
public record JobPage(List<JobView> jobs, boolean more) {}
