package dev.rowlock.job;

import dev.rowlock.definition.JobDefinition;
import java.util.ArrayList;
import java.util.List;

/** Explanations why not every fire time of a schedule will run. */
public final class FireTimeRemarks {

    private FireTimeRemarks() {}

    public static List<String> of(JobDefinition job) {
        List<String> remarks = new ArrayList<>();
        if (job.paused()) {
            remarks.add("the job is paused: what its schedule asks for is held back until it is resumed");
        }
        if (job.maxRuns() != null) {
            remarks.add("maxRuns: the job ends after " + job.maxRuns() + " runs; the fire times are shown as the"
                    + " schedule asks for them");
        }
        return remarks;
    }
}
