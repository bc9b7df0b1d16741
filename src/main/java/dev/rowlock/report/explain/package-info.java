/**
 * Explanations of runs, and of what did not run. For any instant of a job, and for any task, they tell what its
 * schedule asked for, which version was in force, what held it, who prepared and who ran it, how its lateness came
 * about, how it ended, and what comes next. <p>It reads what others recorded, through stores, and decides nothing.
 * Where it has to tell what ought to happen, it asks {@code task.rule} and {@code schedule}: a rule of its own
 * would be a second opinion. What nobody recorded is not known, and that is what it says. <p>{@link
 * dev.rowlock.report.explain.Explain} gathers {@code Evidence}: the job, its versions and the tasks of one
 * occurrence. From that, each of the others makes one part of the answer: what the schedule says, how late it was,
 * which nodes were there, the steps in their order, and the sentence for people.
 */
@NullMarked
package dev.rowlock.report.explain;

import org.jspecify.annotations.NullMarked;
