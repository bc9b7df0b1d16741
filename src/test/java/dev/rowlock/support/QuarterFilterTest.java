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

class QuarterFilterTest {

    @Test
    void each_test_is_in_one_quarter_and_each_quarter_has_some() {
        List<String> quarters = new ArrayList<>();
        for (int quarter = 0; quarter < 4; quarter++) {
            Set<String> tests = tests(quarter);
            assertThat(tests).isNotEmpty();
            quarters.addAll(tests);
        }
        assertThat(quarters).containsExactlyInAnyOrderElementsOf(tests(null));
    }

    private static Set<String> tests(@Nullable Integer quarter) {
        LauncherConfig alone = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addPostDiscoveryFilters(new QuarterFilter(quarter))
                .build();
        TestPlan found = LauncherFactory.create(alone)
                .discover(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectPackage("dev.rowlock.engine"))
                        .build());
        return found.getRoots().stream()
                .flatMap(root -> found.getDescendants(root).stream())
                .filter(TestIdentifier::isTest)
                .map(TestIdentifier::getUniqueId)
                .collect(Collectors.toSet());
    }
}
