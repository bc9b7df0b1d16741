/** What each policy means, in a line, and what follows from it for this job. */
import { span } from "../core/time.js";

export const OVERLAP = {
  SKIP: "What is due while it runs does not run.",
  QUEUE: "What is due while it runs waits, and starts as soon as the run before has ended.",
  ALLOW: "What is due while it runs starts at the same time.",
  REPLACE: "What is due while it runs kills the running one, and starts when that is dead.",
};
export const MISFIRE = {
  RUN_ONCE: "After an outage the latest fire time runs; the others are recorded as missed.",
  SKIP: "After an outage nothing is made up for; all that was too late is recorded as missed.",
  RUN_ALL: "After an outage every fire time runs, one after the other. Needs overlap QUEUE or ALLOW.",
};
export const ON_LOST = {
  RERUN: "If its node dies in the middle of a run, another node runs it again. The command must bear that.",
  FAIL: "If its node dies in the middle of a run, the run is recorded as lost, and not repeated.",
};
export const DAYLIGHT = {
  SHIFT: "A time that the clocks skip runs when they have moved on; one that they repeat runs once.",
  PLAIN: "A time that the clocks skip does not run; one that they repeat runs twice.",
};

export const ON_CLOSED = {
  SKIP: "A fire time on a closed day does not run.",
  NEXT: "A fire time on a closed day moves to the same time of the next open day.",
  PREVIOUS: "A fire time on a closed day moves to the same time of the open day before.",
  RUN: "Closed days change nothing but nB, LB and LB-n of the schedule.",
};

/** @param fireTimes the next ones; @param usual p95 of its runs in milliseconds, or null */
export function overlapHere(overlap, fireTimes, usual) {
  if (fireTimes.length < 2 || usual === null || usual === undefined) {
    return "";
  }
  const period = Math.min(...fireTimes.slice(1).map((at, i) => Date.parse(at) - Date.parse(fireTimes[i])));
  if (usual < period) {
    return (
      "Here: 95 % of runs end within "
      + span(usual)
      + ", and fire times are "
      + span(period)
      + " apart at least, so this is rare."
    );
  }
  const often = "Here: runs take up to " + span(usual) + ", and fire times are only " + span(period) + " apart. ";
  const then = {
    SKIP: "Most likely some fire times do not run.",
    QUEUE: "Runs pile up: at overlapLimit, the newest does not run.",
    ALLOW: "Several run at once most of the time.",
    REPLACE: "Most likely no run ever ends.",
  };
  return often + (then[overlap] ?? "");
}

/** For how long retries go on, with what the form says. */
export function retriesHere(retry) {
  const max = Number(retry?.max);
  return max > 0
    ? "Up to " + (max + 1) + " attempts for each fire time; the delay doubles each time."
    : "A failed run is not tried again.";
}
