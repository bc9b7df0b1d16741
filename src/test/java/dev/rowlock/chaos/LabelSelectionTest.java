package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectionTest {

    private static final Map<String, String> LABELS = Map.of("zone", "north", "disk", "ssd");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                               | true
            zone=north                       | true
            zone==south                      | false
            zone!=north                      | false
            gpu!=yes                         | true
            disk in (ssd, nvme)              | true
            disk in (tape)                   | false
            disk notin (tape,nvme)           | true
            gpu notin (yes)                  | true
            gpu                              | false
            !gpu                             | true
            zone in (north,west), disk!=tape | true
            zone=north, gpu                  | false
            """)
    void labels_match_as_kubernetes_has_it(String selector, boolean matches) {
        assertThat(LabelSelection.matches(selector, LABELS)).isEqualTo(matches);
    }
}
