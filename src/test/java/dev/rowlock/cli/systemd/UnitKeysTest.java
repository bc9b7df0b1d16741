package dev.rowlock.cli.systemd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No key of the manual pages is dropped without a word, whatever it means. */
class UnitKeysTest {

    /** Of systemd.unit, systemd.timer, systemd.service, systemd.exec, systemd.kill and systemd.resource-control. */
    private static final String KEYS = """
            Unit: Description Documentation Wants Requires Requisite BindsTo PartOf Upholds Conflicts Before After OnFailure
             OnSuccess PropagatesReloadTo ReloadPropagatedFrom PropagatesStopTo StopPropagatedFrom JoinsNamespaceOf
             RequiresMountsFor WantsMountsFor OnFailureJobMode IgnoreOnIsolate StopWhenUnneeded RefuseManualStart
             RefuseManualStop AllowIsolate DefaultDependencies CollectMode FailureAction SuccessAction
             FailureActionExitStatus SuccessActionExitStatus JobTimeoutSec JobRunningTimeoutSec JobTimeoutAction
             StartLimitIntervalSec StartLimitBurst StartLimitAction RebootArgument SourcePath SurviveFinalKillSignal
             ConditionArchitecture ConditionFirmware ConditionVirtualization ConditionHost ConditionKernelCommandLine
             ConditionKernelVersion ConditionCredential ConditionEnvironment ConditionSecurity ConditionCapability
             ConditionACPower ConditionNeedsUpdate ConditionFirstBoot ConditionPathExists ConditionPathExistsGlob
             ConditionPathIsDirectory ConditionPathIsSymbolicLink ConditionPathIsMountPoint ConditionPathIsReadWrite
             ConditionPathIsEncrypted ConditionDirectoryNotEmpty ConditionFileNotEmpty ConditionFileIsExecutable
             ConditionUser ConditionGroup ConditionControlGroupController ConditionMemory ConditionCPUs ConditionCPUFeature
             ConditionOSRelease ConditionMemoryPressure ConditionVersion AssertPathExists AssertUser
            Timer: OnActiveSec OnBootSec OnStartupSec AccuracySec RandomizedDelaySec FixedRandomDelay OnClockChange
             OnTimezoneChange WakeSystem RemainAfterElapse DeferReactivation RandomizedOffsetSec
            Service: Type ExitType RemainAfterExit GuessMainPID PIDFile BusName ExecStart ExecStartPre ExecStartPost
             ExecCondition ExecReload ExecStop ExecStopPost RestartSec RestartSteps RestartMaxDelaySec TimeoutStopSec
             TimeoutAbortSec TimeoutSec TimeoutStartFailureMode TimeoutStopFailureMode RuntimeMaxSec
             RuntimeRandomizedExtraSec WatchdogSec Restart RestartMode SuccessExitStatus RestartPreventExitStatus
             RestartForceExitStatus RootDirectoryStartOnly NonBlocking NotifyAccess Sockets FileDescriptorStoreMax
             USBFunctionDescriptors OOMPolicy OpenFile ReloadSignal
             ExecSearchPath WorkingDirectory RootDirectory RootImage RootHash RootVerity MountAPIVFS ProtectProc ProcSubset
             BindPaths BindReadOnlyPaths MountImages ExtensionImages User Group DynamicUser SupplementaryGroups
             SetLoginEnvironment PAMName CapabilityBoundingSet AmbientCapabilities NoNewPrivileges SecureBits SELinuxContext
             AppArmorProfile SmackProcessLabel LimitCPU LimitFSIZE LimitDATA LimitSTACK LimitCORE LimitRSS LimitNOFILE
             LimitAS LimitNPROC LimitMEMLOCK LimitLOCKS LimitSIGPENDING LimitMSGQUEUE LimitNICE LimitRTPRIO LimitRTTIME
             UMask CoredumpFilter KeyringMode OOMScoreAdjust TimerSlackNSec Personality IgnoreSIGPIPE Nice
             CPUSchedulingPolicy CPUSchedulingPriority CPUSchedulingResetOnFork CPUAffinity NUMAPolicy NUMAMask
             IOSchedulingClass IOSchedulingPriority ProtectSystem ProtectHome RuntimeDirectory StateDirectory CacheDirectory
             LogsDirectory ConfigurationDirectory RuntimeDirectoryMode StateDirectoryMode TimeoutCleanSec ReadWritePaths
             ReadOnlyPaths InaccessiblePaths ExecPaths NoExecPaths TemporaryFileSystem PrivateTmp PrivateDevices
             PrivateNetwork NetworkNamespacePath PrivateIPC IPCNamespacePath MemoryKSM PrivateUsers ProtectHostname
             ProtectClock ProtectKernelTunables ProtectKernelModules ProtectKernelLogs ProtectControlGroups
             RestrictAddressFamilies RestrictFileSystems RestrictNamespaces LockPersonality MemoryDenyWriteExecute
             RestrictRealtime RestrictSUIDSGID RemoveIPC PrivateMounts MountFlags SystemCallFilter SystemCallErrorNumber
             SystemCallArchitectures SystemCallLog Environment EnvironmentFile PassEnvironment UnsetEnvironment
             StandardInput StandardOutput StandardError StandardInputText StandardInputData LogLevelMax LogExtraFields
             LogRateLimitIntervalSec LogFilterPatterns LogNamespace SyslogIdentifier SyslogFacility SyslogLevel
             SyslogLevelPrefix TTYPath TTYReset LoadCredential LoadCredentialEncrypted ImportCredential SetCredential
             SetCredentialEncrypted UtmpIdentifier UtmpMode
             KillMode KillSignal RestartKillSignal SendSIGHUP SendSIGKILL FinalKillSignal WatchdogSignal
             CPUAccounting CPUWeight CPUQuota CPUQuotaPeriodSec AllowedCPUs AllowedMemoryNodes MemoryAccounting MemoryMin
             MemoryLow MemoryHigh MemoryMax MemorySwapMax MemoryZSwapMax TasksAccounting TasksMax IOAccounting IOWeight
             IODeviceWeight IOReadBandwidthMax IPAccounting IPAddressAllow IPAddressDeny IPIngressFilterPath
             SocketBindAllow RestrictNetworkInterfaces BPFProgram DeviceAllow DevicePolicy Slice Delegate DisableControllers
             ManagedOOMSwap MemoryPressureWatch CPUShares MemoryLimit BlockIOWeight SomethingNew
            Other: SomethingNew
            """;

    /** What says nothing of what the command does, or asks for what a job does anyway. */
    private static final Set<String> SILENT = Set.of(
            "Unit.Description",
            "Unit.Documentation",
            "Unit.Before",
            "Unit.IgnoreOnIsolate",
            "Unit.StopWhenUnneeded",
            "Unit.RefuseManualStart",
            "Unit.RefuseManualStop",
            "Unit.AllowIsolate",
            "Unit.DefaultDependencies",
            "Unit.CollectMode",
            "Unit.SourcePath",
            "Unit.SurviveFinalKillSignal",
            "Timer.FixedRandomDelay",
            "Service.RemainAfterExit",
            "Service.GuessMainPID",
            "Service.PIDFile",
            "Service.BusName",
            "Service.NotifyAccess",
            "Service.SyslogIdentifier",
            "Service.SyslogFacility",
            "Service.SyslogLevel",
            "Service.SyslogLevelPrefix",
            "Service.LogLevelMax");

    static Stream<String> keys() {
        return KEYS.replace("\n ", " ")
                .lines()
                .flatMap(line -> Stream.of(line.replaceFirst("^.*?: *", "").split("\\s+", -1))
                        .map(key -> line.replaceFirst(":.*", "") + "." + key));
    }

    private static Imported read(String key, String value) {
        String section = key.replaceFirst("\\..*", "");
        String line = key.replaceFirst(".*\\.", "") + "=" + value + "\n";
        boolean ofTimer = section.equals("Timer");
        ImportText to = new ImportText("default", false);
        to.begin("x");
        new TimerImport("UTC", false, Set.of())
                .read(
                        "# /x/x.timer\n[Timer]\nOnCalendar=daily\n" + (ofTimer ? line : "")
                                + "# /x/x.service\n[Service]\nExecStart=/bin/x\n"
                                + (ofTimer ? "" : "[" + section + "]\n" + line),
                        to);
        to.finish();
        return to.items().get(0);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void a_key_is_carried_remarked_or_refused(String key) {
        Imported without = read("Service.SyslogIdentifier", "x");
        String name = key.replaceFirst(".*\\.", "");
        boolean isHeard = Stream.of("/7", "7", "yes", "forking")
                .map(value -> read(key, value))
                .anyMatch(with -> {
                    boolean isCarried = with.job() == null || !Objects.equals(with.job(), without.job());
                    boolean isSaid = with.comments().stream().anyMatch(comment -> comment.contains(name));
                    return isCarried
                            || isSaid
                            || with.comments().size() > without.comments().size();
                });
        assertThat(isHeard || SILENT.contains(key)).as(key).isTrue();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void nothing_gives_a_command_another_user_who_may_do_more(String key) {
        ObjectNode job = read(key, "yes").job();

        assertThat(job == null ? "root" : job.path("user").asText()).isIn("root", "yes", "nobody");
    }
}
