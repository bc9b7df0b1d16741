/**
 * Commands as processes. Starts commands, keeps their output within bounds, ends whole process trees, and feeds the
 * guard that does so when the JVM cannot. Knows no database and no schedule.
 *
 * <p><b>A start.</b> {@link dev.rowlock.exec.Launcher} runs {@code bash -c command} in an environment and a process
 * session of its own, both outputs going into one pipe. {@link dev.rowlock.exec.SpawnMethod} says how the process is
 * made. Before the command, its shell reads the gate ({@code gate.sh}), which goes to the working directory, compares
 * the launch's deadline with {@code /proc/uptime}, and ends when it is too late. So a JVM that was frozen between the
 * commit and the start cannot start what is no longer its own.
 *
 * <p><b>Another user, limits, text to read.</b> {@link dev.rowlock.exec.RunOptions} need a shell before that one
 * ({@code options.sh}), with the daemon's rights. It looks the user up, gives the output file to it, sets limits,
 * rehearses what could not be told from the command's own failure later, and becomes the command's own shell, which
 * reads the gate as that user. The gate's text stays standard input until then, so what is late, hangs or is refused
 * looks the same as without. {@link dev.rowlock.exec.RunAs} says what a daemon needs, so that no mark gets lost.
 *
 * <p><b>A start that hangs.</b> The JVM touches no file that a job names: a working directory on a dead mount holds up
 * its own shell and nobody else. A shell that has not passed the gate after 30 seconds is killed; its standard
 * input shows that it is still there. While one hangs in the
 * kernel, no other is sent to the same directory. If making the process hangs (the disk of {@code data.dir}, or of
 * bash), further threads take over, and the launch is given up when its gate would let nothing pass.
 *
 * <p><b>An end.</b> One thread ({@code CommandWatch}) follows all commands. When a first process ends or is to be
 * stopped, it looks for what belongs to it ({@code ProcessTree}), sends TERM, after the grace KILL, and looks again
 * until nothing is left; only then is {@link dev.rowlock.exec.Ended} delivered and the slot free. What escapes: a
 * process that has left the session, cleared its environment and lost its parent between two scans (one a second, and
 * one at each end), and what another service started on the command's behalf (a container daemon, {@code at}, {@code
 * systemd-run}). A command whose memory is limited by a control group has that as one more mark.
 *
 * <p><b>Output.</b> The command writes into a pipe: unlike a file, it is not emptied by who opens {@code /dev/stderr}
 * with {@code >}. One thread ({@code OutputPipes}) reads all pipes and appends to a file for each; what a full disk
 * does not take is lost and fails no command. A daemon that stands still holds a command up when 64 KiB wait. Once a
 * second, {@code OutputFile} takes the middle out of a file that has outgrown its bound.
 *
 * <p><b>The guard.</b> {@link dev.rowlock.exec.Guard} is a bash process ({@code guard.sh}) that kills with KILL all
 * that carries the session's id, once the deadline that it was last fed has passed or the JVM is gone. Nothing is
 * started without a guard. A session that it has condemned stays condemned: the daemon must join as a new one and name
 * that to it.
 *
 * <p><b>Limits.</b> Linux only. An exit code above 128 cannot be told from a signal. With {@code ProcessBuilder}, a JVM
 * that does not run in UTF-8 passes text beyond ASCII through a second shell, where it needs four bytes of the 128 KiB
 * that Linux allows for each of its own. Java stops reading when the first process has ended, too: what is left of the
 * command then writes to a closed pipe.
 */
@NullMarked
package dev.rowlock.exec;

import org.jspecify.annotations.NullMarked;
