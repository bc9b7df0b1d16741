package dev.rowlock.cli;

import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.cli.job.BackfillCommands;
import dev.rowlock.cli.job.CalendarCommands;
import dev.rowlock.cli.job.GroupCommands;
import dev.rowlock.cli.job.JobChanges;
import dev.rowlock.cli.job.JobCommands;
import dev.rowlock.cli.job.JobEdit;
import dev.rowlock.cli.job.JobHolds;
import dev.rowlock.cli.job.JobReports;
import dev.rowlock.cli.job.JobWhy;
import dev.rowlock.cli.job.RunJob;
import dev.rowlock.cli.job.ScheduleCommand;
import dev.rowlock.cli.job.TaskCommands;
import dev.rowlock.cli.job.TaskRerun;
import dev.rowlock.cli.plan.ExportCommand;
import dev.rowlock.cli.plan.FileCommands;
import dev.rowlock.cli.plan.ImportCrontab;
import dev.rowlock.cli.plan.ImportKubernetes;
import dev.rowlock.cli.plan.ImportSystemd;
import dev.rowlock.cli.plan.ImportTables;
import dev.rowlock.cli.plan.ShadowReport;
import dev.rowlock.cli.top.ReportCommands;
import dev.rowlock.cli.top.TopCommand;
import java.util.function.Supplier;

/** Commands that ask a node, by their names. */
final class RemoteCommands {

    private final Supplier<Needs> needs;
    private final Surroundings around;

    private RemoteCommands(Supplier<Needs> needs, Surroundings around) {
        this.needs = needs;
        this.around = around;
    }

    /**
     * @param needs only made for commands that need it
     * @param version of this program
     */
    static void add(CommandTree tree, Supplier<Needs> needs, String version, Surroundings around) {
        RemoteCommands commands = new RemoteCommands(needs, around);
        tree.branch("job", "What is to run, and when.", "rowlock job list --namespace ops", commands::jobs);
        tree.branch("task", "What runs, ran and is going to.", "rowlock task logs -f 4711", commands::tasks);
        tree.branch("backfill", commands.made(BackfillCommands.MakeBackfill::new), backfill -> {
            backfill.leaf("list", commands.made(BackfillCommands.ListBackfills::new));
            backfill.leaf("show", commands.made(BackfillCommands.ShowBackfill::new));
            backfill.leaf("cancel", commands.made(BackfillCommands.CancelBackfill::new));
        });
        tree.leaf("history", commands.made(TaskCommands.ListHistory::new));
        tree.branch("node", "Who runs it.", "rowlock node drain db-3", commands::nodes);
        tree.branch("group", "Limits that jobs share.", "rowlock group set warehouse --limit 4", commands::groups);
        tree.branch("calendar", "Which days are open.", "rowlock calendar list", commands::calendars);
        tree.branch("freeze", commands.made(FreezeCommands.AddFreeze::new), commands::freezes);
        tree.branch("secret", "What commands need and nobody sees.", "rowlock secret list", commands::secrets);
        tree.branch("token", "Who may do what.", "rowlock token add deploy --role editor", commands::tokens);
        commands.alerts(tree);
        tree.branch("config", "Which clusters there are.", "rowlock config use-context prod", commands::contexts);
        tree.leaf("top", commands.made(TopCommand::new));
        tree.leaf("overview", commands.made(ReportCommands.OverviewCommand::new));
        tree.leaf("forecast", commands.made(ReportCommands.ForecastCommand::new));
        tree.leaf("events", commands.made(EventsCommand::new));
        tree.leaf("audit", commands.made(ReportCommands.AuditCommand::new));
        tree.leaf("schedule", commands.made(ScheduleCommand::new));
        commands.files(tree);
        tree.leaf("doctor", commands.made(() -> new DoctorCommand(version)));
        tree.branch(
                "clock",
                "The database's clock.",
                "rowlock clock accept --yes",
                clock -> clock.leaf("accept", commands.made(NodeCommands.AcceptClock::new)));
        tree.branch(
                "retention",
                "How long history is kept.",
                "rowlock retention accept --yes",
                kept -> kept.leaf("accept", commands.made(NodeCommands.AcceptRetention::new)));
    }

    /** Adds those about what people keep in files. */
    private void files(CommandTree tree) {
        tree.leaf("plan", made(FileCommands.PlanCommand::new));
        tree.leaf("diff", made(FileCommands.DiffCommand::new));
        tree.leaf("apply", made(FileCommands.ApplyCommand::new));
        tree.leaf("export", made(ExportCommand::new));
        tree.leaf("complete", made(CompleteCommand::new));
        tree.leaf("schema", () -> new HostCommands.SchemaCommand(around.out()));
        tree.branch(
                "import",
                "Writes what other schedulers have as jobs.",
                "rowlock import crontab /etc/crontab >jobs.yaml",
                this::imports);
        tree.branch(
                "shadow",
                "How jobs that run nothing compare.",
                "rowlock shadow report cron.log",
                shadow -> shadow.leaf("report", made(ShadowReport::new)));
    }

    private void imports(CommandTree from) {
        from.leaf("crontab", made(ImportCrontab::new));
        from.leaf("systemd", made(ImportSystemd::new));
        from.leaf("kubernetes", made(ImportKubernetes::new));
        from.leaf("quartz", made(() -> new ImportTables.Quartz(needs)));
        from.leaf("xxl-job", made(() -> new ImportTables.XxlJob(needs)));
    }

    private Supplier<Object> made(Supplier<Remote> command) {
        return () -> command.get().in(around);
    }

    private void freezes(CommandTree freeze) {
        freeze.leaf("list", made(FreezeCommands.ListFreezes::new));
        freeze.leaf("get", made(FreezeCommands.GetFreeze::new));
        freeze.leaf("extend", made(FreezeCommands.ExtendFreeze::new));
        freeze.leaf("end", made(FreezeCommands.EndFreeze::new));
    }

    private void jobs(CommandTree job) {
        job.leaf("list", made(JobCommands.ListJobs::new));
        job.leaf("get", made(JobCommands.GetJob::new));
        job.leaf("next", made(JobReports.ListFireTimes::new));
        job.leaf("why", made(JobWhy::new));
        job.leaf("stats", made(JobReports.GetStats::new));
        job.leaf("versions", made(JobReports.ListVersions::new));
        job.leaf("diff", made(JobReports.DiffJob::new));
        jobChanges(job);
    }

    private void jobChanges(CommandTree job) {
        job.leaf("edit", made(JobEdit::new));
        job.leaf("add", made(JobChanges.AddJob::new));
        job.leaf("set", made(JobChanges.SetJob::new));
        job.leaf("rollback", made(JobChanges.RollBackJob::new));
        job.leaf("delete", made(JobChanges.DeleteJob::new));
        job.leaf("run", made(RunJob::new));
        job.leaf("kill", made(JobHolds.KillJob::new));
        job.leaf("pause", made(JobHolds.PauseJobs::new));
        job.leaf("resume", made(JobHolds.ResumeJobs::new));
        job.leaf("release", made(JobHolds.ReleaseJob::new));
        job.leaf("reschedule", made(JobHolds.RescheduleJob::new));
    }

    private void tasks(CommandTree task) {
        task.leaf("list", made(TaskCommands.ListTasks::new));
        task.leaf("show", made(TaskCommands.ShowTask::new));
        task.leaf("logs", made(TaskCommands.ShowLogs::new));
        task.leaf("why", made(TaskCommands.TaskWhy::new));
        task.leaf("kill", made(TaskCommands.KillTask::new));
        task.leaf("rerun", made(TaskRerun::new));
    }

    private void nodes(CommandTree node) {
        node.leaf("list", made(NodeCommands.ListNodes::new));
        node.leaf("drain", made(NodeCommands.DrainNode::new));
        node.leaf("undrain", made(NodeCommands.UndrainNode::new));
        node.leaf("label", made(NodeCommands.LabelNode::new));
        node.leaf("set", made(NodeCommands.SetNode::new));
    }

    private void groups(CommandTree group) {
        group.leaf("list", made(GroupCommands.ListGroups::new));
        group.leaf("get", made(GroupCommands.GetGroup::new));
        group.leaf("set", made(GroupCommands.SetGroup::new));
        group.leaf("delete", made(GroupCommands.DeleteGroup::new));
    }

    private void calendars(CommandTree calendar) {
        calendar.leaf("list", made(CalendarCommands.ListCalendars::new));
        calendar.leaf("get", made(CalendarCommands.GetCalendar::new));
        calendar.leaf("set", made(CalendarCommands.SetCalendar::new));
        calendar.leaf("delete", made(CalendarCommands.DeleteCalendar::new));
        calendar.leaf("import", made(CalendarCommands.ImportCalendar::new));
    }

    private void secrets(CommandTree secret) {
        secret.leaf("list", made(SecretCommands.ListSecrets::new));
        secret.leaf("get", made(SecretCommands.GetSecret::new));
        secret.leaf("set", made(SecretCommands.SetSecret::new));
        secret.leaf("delete", made(SecretCommands.DeleteSecret::new));
        secret.leaf("rotate", made(SecretCommands.RotateSecrets::new));
    }

    /** Adds those about who is told of what. */
    private void alerts(CommandTree tree) {
        tree.branch(
                "alert",
                "What was raised.",
                "rowlock alert list --state OPEN",
                alert -> alert.leaf("list", made(AlertCommands.ListAlerts::new)));
        tree.branch("rule", "What people are told.", "rowlock rule put backup -f rule.yaml", rule -> {
            rule.leaf("list", made(AlertCommands.ListRules::new));
            rule.leaf("get", made(AlertCommands.GetRule::new));
            rule.leaf("put", made(AlertCommands.PutRule::new));
            rule.leaf("delete", made(AlertCommands.DeleteRule::new));
        });
        tree.branch("channel", "Where messages go.", "rowlock channel test ops", channel -> {
            channel.leaf("list", made(AlertCommands.ListChannels::new));
            channel.leaf("get", made(AlertCommands.GetChannel::new));
            channel.leaf("put", made(AlertCommands.PutChannel::new));
            channel.leaf("delete", made(AlertCommands.DeleteChannel::new));
            channel.leaf("test", made(AlertCommands.TestChannel::new));
        });
        tree.branch("silence", "What is told to nobody.", "rowlock silence add -n db --until 2h", silence -> {
            silence.leaf("list", made(SilenceCommands.ListSilences::new));
            silence.leaf("get", made(SilenceCommands.GetSilence::new));
            silence.leaf("add", made(SilenceCommands.AddSilence::new));
            silence.leaf("delete", made(SilenceCommands.DeleteSilence::new));
        });
    }

    private void contexts(CommandTree config) {
        config.leaf("get-contexts", made(ConfigCommands.GetContexts::new));
        config.leaf("use-context", made(ConfigCommands.UseContext::new));
        config.leaf("set-context", made(ConfigCommands.SetContext::new));
        config.leaf("view", made(ConfigCommands.ViewFile::new));
    }

    private void tokens(CommandTree token) {
        token.leaf("list", made(TokenCommands.ListTokens::new));
        token.leaf("get", made(TokenCommands.GetToken::new));
        token.leaf("add", made(TokenCommands.AddToken::new));
        token.leaf("rotate", made(TokenCommands.RotateToken::new));
        token.leaf("revoke", made(TokenCommands.RevokeToken::new));
    }
}
