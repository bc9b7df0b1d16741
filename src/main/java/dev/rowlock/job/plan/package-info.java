/** Plans: the changes that a set of job files asks for, shown first and then carried out. */
@NullMarked
package dev.rowlock.job.plan;

import org.jspecify.annotations.NullMarked;
