package dev.rowlock.config;

import java.util.Set;
import java.util.regex.Pattern;

/** Variables that begin like those of settings, are none, and are no mistake. */
final class ForeignVariables {

    /** Those of the scripts, of the log, of clients, and those that every command is given. */
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

    /** What Kubernetes gives every container of a namespace with a Service whose name begins with rowlock. */
    private static final Pattern OF_A_SERVICE = Pattern.compile("ROWLOCK_([A-Z0-9_]+_)?"
            + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private ForeignVariables() {}

    static boolean contain(String variable) {
        return KNOWN.contains(variable)
                || variable.startsWith("ROWLOCK_TEST_")
                || OF_A_SERVICE.matcher(variable).matches();
    }

    /** Whether it is the address of a Kubernetes Service: of one named rowlock-http, in the variable of our port. */
    static boolean isLink(String variable, String value) {
        return variable.matches("ROWLOCK_([A-Z0-9_]+_)?PORT") && value.matches("(tcp|udp|sctp)://.*");
    }
}
