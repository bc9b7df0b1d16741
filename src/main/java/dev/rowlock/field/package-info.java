/**
 * Fields of what people send, each declared once: its type, its bounds, its words for people. The same declaration
 * reads, refuses, writes and describes.
 */
@NullMarked
package dev.rowlock.field;

import org.jspecify.annotations.NullMarked;
