/**
 * Import of the CronJobs of Kubernetes: {@code CronJobImport} reads manifests, and says what a container had that
 * a command on a node has not. Changes nothing, and asks nobody.
 */
@NullMarked
package dev.rowlock.cli.kubernetes;

import org.jspecify.annotations.NullMarked;
