package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class EighthFilterTest {

    @Test
    void each_test_is_in_one_eighth_and_each_eighth_has_some() {
        List<String> eighths = new ArrayList<>();
        for (int eighth = 0; eighth < 8; eighth++) {
            Set<String> tests = tests(eighth);
            assertThat(tests).isNotEmpty();
            eighths.addAll(tests);
        }
        assertThat(eighths).containsExactlyInAnyOrderElementsOf(tests(null));
    }

    private static Set<String> tests(@Nullable Integer eighth) {
        LauncherConfig alone = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addPostDiscoveryFilters(new EighthFilter(eighth))
                .build();
        TestPlan found = LauncherFactory.create(alone)
                .discover(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectPackage("dev.rowlock.node"))
                        .build());
        return found.getRoots().stream()
                .flatMap(root -> found.getDescendants(root).stream())
                .filter(TestIdentifier::isTest)
                .map(TestIdentifier::getUniqueId)
                .collect(Collectors.toSet());
    }
}
