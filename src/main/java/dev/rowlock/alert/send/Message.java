package dev.rowlock.alert.send;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Message to send.
 *
 * @param uid the same whenever it is sent, so that a receiver can drop what it has
 * @param at when it is sent
 * @param json for machines
 */
public record Message(String uid, Instant at, String subject, String text, ObjectNode json) {}
