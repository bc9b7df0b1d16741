package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.InvalidDefinition;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CombinationsTest {

    private static final String JOB = "{'name': 'a', 'schedule': '0 3 * * *', 'command': 'true', ";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'overlapLimit': 2                                   | overlapLimit: needs overlap QUEUE or ALLOW; with SKIP leave it out, or make it null
            'overlap': 'REPLACE', 'overlapLimit': 2             | overlapLimit: needs overlap QUEUE or ALLOW; with REPLACE leave it out, or make it null
            'misfire': 'RUN_ALL'                                | misfire: RUN_ALL needs overlap QUEUE or ALLOW; with SKIP what is caught up would be in its own way
            'catchUpLimit': 5                                   | catchUpLimit: needs misfire RUN_ALL; with RUN_ONCE leave it out, or make it null
            'broadcastParallel': 2                              | broadcastParallel: needs broadcast true; without it leave it out, or make it null
            'stopOnFailure': true                               | stopOnFailure: needs broadcast true; without it leave it out, or make it null
            'jitter': '10m', 'startDeadline': '10m'             | jitter: must be shorter than startDeadline, or the job could be due after it
            'schedule': '@manual', 'maxRuns': 3                 | maxRuns: needs a schedule; a job that is @manual has no fire times
            'retry': {'max': 3, 'backoff': '2m', 'maxBackoff': '1m'} | retry.maxBackoff: must not be shorter than backoff, 2m
            'retry': {'max': 3, 'onExitCodes': [0]}             | retry.onExitCodes: 0 means success, by successExitCodes: it is never tried again
            'skipExitCodes': [0, 75]                            | skipExitCodes: 0 means success, by successExitCodes; leave it out of one of them
            'skipExitCodes': [75], 'retry': {'max': 3, 'onExitCodes': [75]} | retry.onExitCodes: 75 means that the run declined, by skipExitCodes: it is never tried again
            'retry': {'max': 3, 'delay': '1m'}                  | retry.delay: is not a field of retry; there are max, backoff, maxBackoff, onExitCodes, onTimeout
            'retry': {}                                         | retry.max: is required: how often one occurrence is tried again
            'retry': {'max': 0}                                 | retry.max: must be a whole number from 1 to 100
            'priority': 101                                     | priority: must be a whole number from -100 to 100
            'maxRuns': 0                                        | maxRuns: must be a whole number from 1 to 1000000000
            'maxPerNode': -1                                    | maxPerNode: must be a whole number from 1 to 1000
            'startDeadline': '0s'                               | startDeadline: must be from 1s to 365d, not 0s
            """)
    void are_refused_with_the_field_and_the_remedy(String fields, String problem) {
        InvalidDefinition refused = catchThrowableOfType(InvalidDefinition.class, () -> parse(fields));

        assertThat(refused.problems().stream()
                        .map(p -> p.field() + ": " + p.message())
                        .collect(Collectors.joining()))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'overlap': 'QUEUE', 'overlapLimit': 2, 'misfire': 'RUN_ALL', 'catchUpLimit': 5, 'startDeadline': '1h'",
                "'overlap': 'ALLOW', 'overlapLimit': 2, 'maxPerNode': 1",
                "'broadcast': true, 'broadcastParallel': 1, 'stopOnFailure': true, 'overlap': 'REPLACE'",
                "'jitter': '9m', 'startDeadline': '10m', 'maxRuns': 1, 'misfire': 'SKIP', 'misfireThreshold': '5m'",
                "'retry': {'max': 3, 'onExitCodes': [75]}, 'priority': -100, 'group': 'db', 'nodes': 'role=db'",
            })
    void that_make_sense_are_taken_and_read_back(String fields) throws Exception {
        StoredDefinition parsed = parse(fields);

        assertThat(StoredDefinition.read(parsed.definition().key(), parsed.text(), false))
                .isEqualTo(parsed);
    }

    private static StoredDefinition parse(String fields) throws Exception {
        String json = (JOB + fields + "}").replace('\'', '"');
        return StoredDefinition.parse((ObjectNode) new ObjectMapper().readTree(json));
    }
}
