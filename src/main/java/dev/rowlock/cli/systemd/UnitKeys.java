package dev.rowlock.cli.systemd;

import dev.rowlock.cli.imports.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Remarks on the keys of a unit that are not carried over. A key that nobody here knows is left out with a remark,
 * so that one of a later systemd is not passed over.
 */
final class UnitKeys {

    /** Keys that say nothing that matters to a command on a node. */
    private static final Pattern SILENT = Pattern.compile("Unit\\.(?:Description|Documentation|SourcePath"
            + "|DefaultDependencies|RefuseManualStart|RefuseManualStop|IgnoreOnIsolate|StopWhenUnneeded|CollectMode"
            + "|Before|AllowIsolate|SurviveFinalKillSignal)"
            + "|Install\\..*|X-.*"
            + "|Service\\.(?:Type|SyslogIdentifier|SyslogFacility|SyslogLevel|SyslogLevelPrefix|LogLevelMax"
            + "|GuessMainPID|RemainAfterExit|TimeoutStartSec|PIDFile|BusName|NotifyAccess)");

    private static final Pattern SANDBOX = Pattern.compile("Service\\.(?:Protect\\w+|Private\\w+|Restrict\\w+"
            + "|NoNewPrivileges|CapabilityBoundingSet|AmbientCapabilities|SystemCall\\w+|MemoryDenyWriteExecute"
            + "|LockPersonality|ReadOnlyPaths|ReadWritePaths|InaccessiblePaths|ExecPaths|NoExecPaths|RootDirectory"
            + "|RootImage|BindPaths|BindReadOnlyPaths|TemporaryFileSystem|DevicePolicy|DeviceAllow|IPAddress\\w+"
            + "|SecureBits|KeyringMode|ProcSubset|RemoveIPC|SELinuxContext|AppArmorProfile|SmackProcessLabel"
            + "|SocketBind\\w+|NetworkNamespacePath|IPCNamespacePath|BPF\\w+|PAMName)");

    /** Keys of what a command finds there, and not here. */
    private static final Pattern NEEDED = Pattern.compile("Service\\.(?:StateDirectory|CacheDirectory|LogsDirectory"
            + "|RuntimeDirectory|ConfigurationDirectory|LoadCredential\\w*|SetCredential\\w*|ImportCredential"
            + "|PassEnvironment|StandardInput\\w*|OpenFile|Sockets)");

    private static final Pattern CONDITION = Pattern.compile("Unit\\.(?:Condition|Assert)\\w+");
    private static final Pattern NEEDS =
            Pattern.compile("Unit\\.(?:Requires|Requisite|BindsTo|PartOf|Upholds|RequiresMountsFor|WantsMountsFor"
                    + "|PropagatesStopTo|StopPropagatedFrom|PropagatesReloadTo|ReloadPropagatedFrom"
                    + "|JoinsNamespaceOf)");
    private static final Pattern ORDER = Pattern.compile("Unit\\.(?:Wants|After)");
    private static final Pattern AFTERWARDS = Pattern.compile("Service\\.Exec(?:StopPost|Stop|Reload\\w*)");

    private final Unit unit;
    private final Draft draft;

    private UnitKeys(Unit unit, Draft draft) {
        this.unit = unit;
        this.draft = draft;
    }

    /** @param carried keys that are carried over, or of which something is said elsewhere */
    static void say(Unit unit, Set<String> carried, Draft draft) {
        UnitKeys keys = new UnitKeys(unit, draft);
        List<String> sandbox = new ArrayList<>();
        Set<String> others = new TreeSet<>();
        for (String section : unit.sections()) {
            for (String key : unit.keys(section)) {
                String whole = section + "." + key;
                if (carried.contains(whole) || SILENT.matcher(whole).matches()) {
                    continue;
                }
                if (SANDBOX.matcher(whole).matches()) {
                    sandbox.add(key);
                } else if (!keys.isSaid(whole, key)) {
                    others.add(key);
                }
            }
        }
        if (!sandbox.isEmpty()) {
            draft.remark("left out, so that the command may do more here than there: " + String.join(", ", sandbox));
        }
        draft.leaveOut(others);
    }

    private boolean isSaid(String whole, String key) {
        String said = key + "=" + String.join(" ", unit.all(whole));
        if (CONDITION.matcher(whole).matches()) {
            draft.remark("left out: " + said + ", which decides whether it runs: let the command test it, or choose"
                    + " nodes where it holds");
        } else if (whole.matches("Unit\\.On(?:Failure|Success)")) {
            draft.remark("left out: " + said + ": an alert rule tells of failures (rowlock rule put)");
        } else if (whole.equals("Unit.Conflicts")) {
            draft.remark("left out: " + said + ": nothing here keeps the two apart");
        } else if (NEEDS.matcher(whole).matches()) {
            draft.remark("left out: " + said + ": it has to be there on each node that runs the job");
        } else if (ORDER.matcher(whole).matches()) {
            String others = unitsBesideTargets(whole);
            if (!others.isEmpty()) {
                draft.remark("left out: " + key + "=" + others + ": it has to be there on each node that runs the job");
            }
        } else if (NEEDED.matcher(whole).matches()) {
            draft.lack("left out: " + said + ", which the command finds there: make it on each node");
        } else if (AFTERWARDS.matcher(whole).matches()) {
            draft.remark("left out: " + said + ": let a trap of the command do it");
        } else if (whole.equals("Service.KillMode")) {
            draft.remark("left out: " + said + ": what a command leaves in the background is killed when it ends");
        } else if (whole.equals("Service.Restart")) {
            if (said.equals("Restart=no")) {
                return true;
            }
            draft.remark("left out: " + said + ": a job is tried again with retry");
        } else {
            return false;
        }
        return true;
    }

    private String unitsBesideTargets(String key) {
        List<String> units = new ArrayList<>();
        for (String line : unit.all(key)) {
            for (String name : line.split("\\s+", -1)) {
                if (!name.matches(".*\\.(?:target|timer|slice|socket)|systemd-.*|dbus\\.service|\\S+\\.mount")) {
                    units.add(name);
                }
            }
        }
        return String.join(" ", units);
    }
}
