/**
 * Reader of YAML with places: {@code YamlText} reads settings and jobs alike, with the place of each part,
 * so that whatever is wrong can be pointed at. Bounds what a hostile text can cost. Knows nothing of what it reads.
 */
@NullMarked
package dev.rowlock.yaml;

import org.jspecify.annotations.NullMarked;
