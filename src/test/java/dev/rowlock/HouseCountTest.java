package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.HouseCount.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HouseCountTest {

    @Test
    void lines_of_code_are_neither_blank_nor_comments_and_blocks_are_no_statements(@TempDir Path dir)
            throws IOException {
        Files.writeString(dir.resolve("A.java"), """
                package dev.rowlock.node;

                /**
                 * Type that "quotes".
                 */
                class A {
                    // a comment
                    String link = "http://host/*"; /* here
                                                      and there */
                    void m(int turns) {
                        {
                            link = '"' + \"""
                                // text
                                \""";
                        }
                    }
                }
                """);
        Files.writeString(dir.resolve("B.java"), "package dev.rowlock;\n\nenum B {}\n");

        // The class, the field, the parameter and the assignment; the enum.
        assertThat(HouseCount.sizes(dir)).isEqualTo(Map.of("node", new Size(1, 17, 11, 4), ".", new Size(1, 3, 2, 1)));
    }
}
