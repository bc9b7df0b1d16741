package dev.rowlock;

import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.Servers;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.OnceJoined;
import dev.rowlock.node.TaskTraces;
import dev.rowlock.node.session.Identity;
import dev.rowlock.node.session.NodeNameTaken;
import dev.rowlock.secret.NodeSecrets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Parts that a node is made of.
 *
 * @param servers where the database is; known to all of this process
 * @param pool the way into the database that requests use; also for what may wait
 * @param spawnMethod must have no {@link SpawnMethod#problem()}
 * @param maxLost how often an occurrence is run again after it was lost
 * @param clock of the database, on {@link System#nanoTime}; the node reads it, whoever changes jobs by it shares it
 * @param hostClock the host's wall clock, only to show how wrong it is
 * @param alerts how messages are sent
 * @param migrated run once the schema is there, before anything else
 * @param pausesOver resumes jobs whose pause is over; answers after which time to ask again, zero if some were resumed
 * @param joined run once this node has joined, in a loop of its own, for as long as it answers that there is more,
 *     and whenever it says that it is to be repeated; tried again until it succeeds, on one node at a time
 * @param secrets what it can open and read of those that jobs name
 * @param refused told when this node must not run: another has its name
 */
public record NodePlan(
        EngineSettings settings,
        Identity identity,
        Servers servers,
        Database pool,
        Path dataDir,
        OutputLimits outputLimits,
        SpawnMethod spawnMethod,
        int maxLost,
        Duration recoveryBackoff,
        DatabaseClock clock,
        Clock hostClock,
        AlertSettings alerts,
        Runnable migrated,
        Supplier<Duration> pausesOver,
        OnceJoined.Work joined,
        Consumer<NodeNameTaken> refused,
        TaskTraces traces,
        NodeSecrets secrets) {}
