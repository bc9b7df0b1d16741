/**
 * Settings that the operator wrote, from YAML and environment, checked all together before anything starts.
 */
@NullMarked
package dev.rowlock.config;

import org.jspecify.annotations.NullMarked;
