package dev.rowlock.node;

import dev.rowlock.node.ExplainTest.Situation;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Of what a schedule asks for, or does not, and of the job's versions and pauses. */
final class ExplainedSchedules {

    private static final String MINUTELY = "'schedule': '* * * * *'";
    private static final String BERLIN = "'zone': 'Europe/Berlin'";

    private ExplainedSchedules() {}

    private static Situation situation(String name, String verdict, String summary, Consumer<ExplainScript> play) {
        return new Situation(name, verdict, summary, play);
    }

    static Stream<Situation> worked() {
        return Stream.of(schedules(), clocks(), versions(), pauses(), deletions())
                .flatMap(s -> s);
    }

    private static Stream<Situation> schedules() {
        return Stream.of(
                situation(
                        "it ran in time",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(70).at("10:01:00")),
                situation(
                        "between two fire times",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:01:05Z. The fire time before it is 2026-03-02T10:01:00Z, and the "
                                + "one after it 2026-03-02T10:02:00Z. default/j of 2026-03-02T10:01:00Z ran on node "
                                + "#, started on time, and ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(70).at("10:01:05")),
                situation(
                        "between two fire times that lie ahead",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:05:05Z. The fire time before it is 2026-03-02T10:05:00Z, and the "
                                + "one after it 2026-03-02T10:06:00Z.",
                        s -> s.put(MINUTELY).at("10:05:05")),
                situation(
                        "a fire time that lies ahead",
                        "TO_COME",
                        "default/j of 2026-03-03T03:00:00Z is still to come; it is due at "
                                + "2026-03-03T03:05:35.208Z. The fire time after it is 2026-03-04T03:00:00Z.",
                        s -> s.named("k")
                                .put("'schedule': '0 3 * * *', 'jitter': '10m'")
                                .at("2026-03-03T03:00:00Z")),
                situation(
                        "the next, which is prepared",
                        "TO_COME",
                        "default/j of 2026-03-02T10:01:00Z is still to come; node # has prepared it. The "
                                + "fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY).pass(40).at("10:01:00")),
                situation(
                        "the next, which is idle",
                        "TO_COME",
                        "default/j of 2026-03-02T10:01:00Z is still to come. The fire time after it is "
                                + "2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY).pass(5).at("10:01:00")),
                situation(
                        "before the job was there",
                        "NO_JOB",
                        "There was no job default/j at 2026-03-02T09:00:00Z: it was created at "
                                + "2026-03-02T10:00:01Z.",
                        s -> s.put(MINUTELY).at("09:00:00")),
                situation(
                        "a job that runs only when asked for",
                        "NOT_ASKED_FOR",
                        "default/j runs only when somebody asks for it (@manual), and nobody asked for it at "
                                + "2026-03-02T10:05:00Z.",
                        s -> s.put("'schedule': '@manual'").pass(310).at("10:05:00")),
                situation(
                        "a job that runs only when asked for, of a time that lies ahead",
                        "NOT_ASKED_FOR",
                        "default/j runs only when somebody asks for it (@manual): nothing is to run at "
                                + "2026-03-02T10:05:00Z.",
                        s -> s.put("'schedule': '@manual'").at("10:05:00")),
                situation(
                        "a run that somebody asked for",
                        "RAN",
                        "default/j of 2026-03-02T10:00:01Z (asked for by somebody) ran on node #, started "
                                + "1s late (1s on the node, for no known reason), and ended after 1ms: SUCCEEDED.",
                        s -> s.put("'schedule': '@manual'").run().pass(2).task()),
                situation(
                        "after its end",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:03:00Z. The fire time before it is 2026-03-02T10:01:00Z; none "
                                + "follows. default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and "
                                + "ended after 1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY + ", 'endAt': '2026-03-02T10:02:00Z'")
                                .pass(240)
                                .at("10:03:00")),
                situation(
                        "before its start",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:01:00Z. It had no fire time between 2026-03-02T10:00:01Z and "
                                + "then; the next one is 2026-03-02T11:00:00Z.",
                        s -> s.put(MINUTELY + ", 'startAt': '2026-03-02T11:00:00Z'")
                                .pass(120)
                                .at("10:01:00")),
                situation(
                        "jitter",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and "
                                + "ended after 1ms: SUCCEEDED.",
                        s -> s.named("j")
                                .put(MINUTELY + ", 'jitter': '50s'")
                                .pass(119)
                                .at("10:01:00")),
                situation(
                        "history that is purged",
                        "NOT_KNOWN",
                        "The schedule of default/j (every minute, UTC time) asked for 2026-03-02T10:01:00Z. What "
                                + "became of it is not known: history of what had ended before 2026-03-02T10:02:30Z is "
                                + "purged.",
                        s -> s.put(MINUTELY)
                                .pass(320)
                                .then(stage -> stage.purge(ExplainStage.time("10:02:30")))
                                .at("10:01:00")));
    }

    private static Stream<Situation> clocks() {
        return Stream.of(
                situation(
                        "a time that the clocks skip",
                        "TO_COME",
                        "default/j is to run at 2026-03-29T01:00:00Z (2026-03-29T03:00:00+02:00 in "
                                + "Europe/Berlin), in 26d14h: at 02:30 every day, Europe/Berlin time; what the "
                                + "clocks skip fires at the jump, what they repeat fires the first time. On "
                                + "2026-03-29 the clocks in Europe/Berlin go from 02:00 to 03:00: 02:30 fires at "
                                + "03:00 (daylightSaving SHIFT).",
                        s -> s.put("'schedule': '30 2 * * *', " + BERLIN).at("2026-03-29T01:00:00Z")),
                situation(
                        "a time that the clocks skip and nothing shifts",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (at 02:30 every day, Europe/Berlin time; what the "
                                + "clocks skip does not fire, what they repeat fires both times) does not ask for "
                                + "2026-03-29T01:00:00Z (2026-03-29T03:00:00+02:00 in Europe/Berlin). The fire time "
                                + "before it is 2026-03-28T01:30:00Z (2026-03-28T02:30:00+01:00 in Europe/Berlin), "
                                + "and the one after it 2026-03-30T00:30:00Z (2026-03-30T02:30:00+02:00 in "
                                + "Europe/Berlin). On 2026-03-29 the clocks in Europe/Berlin go from 02:00 to 03:00: "
                                + "02:30 does not fire (daylightSaving PLAIN).",
                        s -> s.put("'schedule': '30 2 * * *', 'daylightSaving': 'PLAIN', " + BERLIN)
                                .at("2026-03-29T01:00:00Z")),
                situation(
                        "a time that the clocks repeat",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (at 02:30 every day, Europe/Berlin time; what the "
                                + "clocks skip fires at the jump, what they repeat fires the first time) does not "
                                + "ask for 2026-10-25T01:30:00Z (2026-10-25T02:30:00+01:00 in Europe/Berlin). The "
                                + "fire time before it is 2026-10-25T00:30:00Z (2026-10-25T02:30:00+02:00 in "
                                + "Europe/Berlin), and the one after it 2026-10-26T01:30:00Z "
                                + "(2026-10-26T02:30:00+01:00 in Europe/Berlin). On 2026-10-25 the clocks in "
                                + "Europe/Berlin go back from 03:00 to 02:00: 02:30 fires only the first time "
                                + "(daylightSaving SHIFT).",
                        s -> s.put("'schedule': '30 2 * * *', " + BERLIN).at("2026-10-25T01:30:00Z")));
    }

    private static Stream<Situation> versions() {
        return Stream.of(
                situation(
                        "what the schedule no longer asks for",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every hour at minute 30, UTC time) does not ask for "
                                + "2026-03-02T10:01:00Z. It had no fire time between 2026-03-02T10:00:51Z and then; "
                                + "the next one is 2026-03-02T10:30:00Z.",
                        s -> s.put(MINUTELY)
                                .pass(50)
                                .put("'schedule': '30 * * * *'")
                                .pass(30)
                                .at("10:01:00")),
                situation(
                        "before the schedule was changed",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:01:05Z. The fire time before it is 2026-03-02T10:01:00Z, and the "
                                + "one after it 2026-03-02T10:30:00Z, by the schedule of version 2. default/j of "
                                + "2026-03-02T10:01:00Z ran on node #, started on time, and ended after 1ms: "
                                + "SUCCEEDED.",
                        s -> s.put(MINUTELY)
                                .pass(70)
                                .put("'schedule': '30 * * * *'")
                                .pass(5)
                                .at("10:01:05")),
                situation(
                        "it fell into a pause, and the schedule was changed",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: the job was paused (for 3 fire "
                                + "times, 2026-03-02T10:01:00Z to 2026-03-02T10:03:00Z). The fire time after it is "
                                + "2026-03-02T10:30:00Z.",
                        s -> s.put(MINUTELY)
                                .pause("{}")
                                .pass(200)
                                .resume()
                                .put("'schedule': '30 * * * *'")
                                .pass(10)
                                .at("10:02:00")),
                situation(
                        "an edit of the command while it is prepared",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY)
                                .pass(50)
                                .then(stage -> stage.cluster.command(s.job(), "echo"))
                                .pass(20)
                                .at("10:01:00")));
    }

    private static Stream<Situation> pauses() {
        return Stream.of(
                situation(
                        "it fell into a pause",
                        "DID_NOT_RUN",
                        "default/j of 2026-03-02T10:02:00Z did not run: SKIPPED: the job was paused (for 3 fire "
                                + "times, 2026-03-02T10:01:00Z to 2026-03-02T10:03:00Z). The fire time after it is "
                                + "2026-03-02T10:04:00Z.",
                        s -> s.put(MINUTELY)
                                .pause("{'reason': 'the disk is full'}")
                                .pass(200)
                                .resume()
                                .pass(10)
                                .at("10:02:00")),
                situation(
                        "a pause that goes on",
                        "WAITING",
                        "The schedule of default/j (every minute, UTC time) asked for "
                                + "2026-03-02T10:02:00Z, but the job has been paused since 2026-03-02T10:00:01Z (the "
                                + "disk is full): it has not run, and will be recorded as SKIPPED when the job is "
                                + "resumed.",
                        s -> s.put(MINUTELY)
                                .pause("{'reason': 'the disk is full', 'until': '2026-03-02T12:00:00Z'}")
                                .pass(200)
                                .at("10:02:00")),
                situation(
                        "the first fire time of a pause",
                        "WAITING",
                        "default/j has been paused since 2026-03-02T10:00:01Z: nothing of its schedule runs "
                                + "until it is resumed. default/j of 2026-03-02T10:01:00Z is waiting (PAUSE): the job "
                                + "is paused. The fire time after it is 2026-03-02T10:02:00Z.",
                        s -> s.put(MINUTELY).pause("{}").pass(200).at("10:01:00")),
                situation(
                        "a pause that is to end before",
                        "TO_COME",
                        "default/j has been paused since 2026-03-02T10:00:01Z: nothing of its schedule runs "
                                + "before 2026-03-02T12:00:00Z. default/j is to run at 2026-03-02T12:30:00Z, in "
                                + "2h29m59s: every minute, UTC time.",
                        s -> s.put(MINUTELY)
                                .pause("{'until': '2026-03-02T12:00:00Z'}")
                                .at("12:30:00")),
                situation(
                        "a pause that has no end",
                        "TO_COME",
                        "default/j has been paused since 2026-03-02T10:00:01Z: nothing of its schedule runs "
                                + "until it is resumed. Its schedule asks for 2026-03-02T12:30:00Z, in 2h29m59s: "
                                + "every minute, UTC time; that is skipped unless the job is resumed by then.",
                        s -> s.put(MINUTELY).pause("{}").at("12:30:00")),
                situation(
                        "a paused job, when no time is named",
                        "NOT_ASKED_FOR",
                        "default/j has been paused since 2026-03-02T10:00:01Z: nothing of its schedule runs "
                                + "until it is resumed. The schedule of default/j (every minute, UTC time) does not "
                                + "ask for 2026-03-02T10:00:31Z. It had no fire time between 2026-03-02T10:00:01Z "
                                + "and then; the next one is 2026-03-02T10:01:00Z.",
                        s -> s.put(MINUTELY).pause("{}").pass(30).now()));
    }

    private static Stream<Situation> deletions() {
        return Stream.of(
                situation(
                        "a job that was deleted had run",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(70).delete().pass(100).at("10:01:00")),
                situation(
                        "what was to come when the job was deleted",
                        "NO_JOB",
                        "There was no job default/j at 2026-03-02T10:02:00Z: it was deleted at "
                                + "2026-03-02T10:01:11Z.",
                        s -> s.put(MINUTELY).pass(70).delete().pass(100).at("10:02:00")),
                situation(
                        "after the job was deleted",
                        "NO_JOB",
                        "There was no job default/j at 2026-03-02T10:05:00Z: it was deleted at "
                                + "2026-03-02T10:01:11Z.",
                        s -> s.put(MINUTELY).pass(70).delete().pass(300).at("10:05:00")),
                situation(
                        "the last fire time before the job was deleted",
                        "NOT_ASKED_FOR",
                        "The schedule of default/j (every minute, UTC time) does not ask for "
                                + "2026-03-02T10:01:05Z. The fire time before it is 2026-03-02T10:01:00Z; none "
                                + "follows, as the job was deleted at 2026-03-02T10:01:11Z. default/j of "
                                + "2026-03-02T10:01:00Z ran on node #, started on time, and ended after 1ms: "
                                + "SUCCEEDED.",
                        s -> s.put(MINUTELY).pass(70).delete().at("10:01:05")),
                situation(
                        "a time that lies ahead of a job that was deleted",
                        "NO_JOB",
                        "There is no job default/j: it was deleted at 2026-03-02T10:01:11Z.",
                        s -> s.put(MINUTELY).pass(70).delete().at("11:00:00")),
                situation(
                        "the moment in which the job was made",
                        "NO_JOB",
                        "There was no job default/j before 2026-03-02T10:00:01Z: it was created at that moment.",
                        s -> s.put(MINUTELY).at("10:00:01")),
                situation(
                        "between two jobs of one name",
                        "NO_JOB",
                        "There was no job default/j at 2026-03-02T10:02:30Z: it was deleted at "
                                + "2026-03-02T10:01:11Z.",
                        s -> twice(s).at("10:02:30")),
                situation(
                        "before the first of two jobs of one name",
                        "NO_JOB",
                        "There was no job default/j at 2026-03-02T09:00:00Z: it was created at "
                                + "2026-03-02T10:00:01Z.",
                        s -> twice(s).at("09:00:00")),
                situation(
                        "a name that was given again",
                        "RAN",
                        "default/j of 2026-03-02T10:01:00Z ran on node #, started on time, and ended after "
                                + "1ms: SUCCEEDED.",
                        s -> twice(s).at("10:01:00")));
    }

    private static ExplainScript twice(ExplainScript s) {
        return s.put(MINUTELY)
                .pass(70)
                .delete()
                .pass(120)
                .put("'schedule': '@hourly'")
                .pass(60);
    }
}
