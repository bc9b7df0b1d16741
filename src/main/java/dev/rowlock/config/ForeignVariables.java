package dev.rowlock.config;

import java.util.Set;
import java.util.regex.Pattern;

/** Variables that begin like those of settings, but are neither settings nor mistakes. */
final class ForeignVariables {

    /** Variables of the scripts, of the log, of clients, and those that every command gets. */
    private static final Set<String> KNOWN = Set.of(
            "ROWLOCK_HOME",
            "ROWLOCK_JAVA_OPTS",
            "ROWLOCK_LOG_LEVEL",
            "ROWLOCK_URL",
            "ROWLOCK_TOKEN",
            "ROWLOCK_JOB",
            "ROWLOCK_TASK_ID",
            "ROWLOCK_LAUNCH_ID",
            "ROWLOCK_SESSION",
            "ROWLOCK_NODE",
            "ROWLOCK_FIRE_TIME",
            "ROWLOCK_ATTEMPT",
            "ROWLOCK_CAUSE",
            "ROWLOCK_FENCING_TOKEN");

    /** Variables that Kubernetes gives every container of a namespace with a Service whose name begins with rowlock. */
    private static final Pattern OF_A_SERVICE = Pattern.compile("ROWLOCK_([A-Z0-9_]+_)?"
            + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private ForeignVariables() {}

    static boolean contain(String variable) {
        return KNOWN.contains(variable)
                || variable.startsWith("ROWLOCK_TEST_")
                || OF_A_SERVICE.matcher(variable).matches();
    }

    /**
     * Returns whether the value is the address of a Kubernetes Service: that of one named rowlock-http is in the
     * variable of our port.
     */
    static boolean isLink(String variable, String value) {
        return variable.matches("ROWLOCK_([A-Z0-9_]+_)?PORT") && value.matches("(tcp|udp|sctp)://.*");
    }
}
