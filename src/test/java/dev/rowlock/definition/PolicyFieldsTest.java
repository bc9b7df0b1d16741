package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.InvalidDefinition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a policy by itself: what it does not take is refused with its name and what it takes. */
class PolicyFieldsTest {

    /** With which each field below makes sense. */
    private static final String JOB =
            "{'name': 'a', 'schedule': '0 3 * * *', 'command': 'true', 'overlap': 'QUEUE', 'misfire': 'RUN_ALL',"
                    + " 'broadcast': true, ";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            'overlap': 'queue'                  | overlap: 'queue' is not one of SKIP, QUEUE, ALLOW, REPLACE; did you mean 'QUEUE'?
            'overlap': 'WAIT', 'overlapLimit': 5, 'catchUpLimit': 3 | overlap: 'WAIT' is not one of SKIP, QUEUE, ALLOW, REPLACE
            'misfire': 'ALL', 'catchUpLimit': 3 | misfire: 'ALL' is not one of RUN_ONCE, SKIP, RUN_ALL
            'broadcast': 'yes', 'broadcastParallel': 2, 'stopOnFailure': true | broadcast: must be true or false, not a string
            'shell': 'no', 'command': ['ls']    | shell: 'no' is not one of bash, sh, none
            'overlap': true                     | overlap: must be a string such as "SKIP", not true or false
            'overlapLimit': 0                   | overlapLimit: must be a whole number from 1 to 1000
            'overlapLimit': 1001                | overlapLimit: must be a whole number from 1 to 1000
            'overlapLimit': 1e30                | overlapLimit: must be a whole number from 1 to 1000
            'overlapLimit': '5'                 | overlapLimit: must be a whole number from 1 to 1000
            'misfire': 'ALL'                    | misfire: 'ALL' is not one of RUN_ONCE, SKIP, RUN_ALL
            'misfireThreshold': '0s'            | misfireThreshold: must be from 1s to 365d, not 0s
            'misfireThreshold': 60              | misfireThreshold: must be a string such as "90s", not a number
            'catchUpLimit': 0                   | catchUpLimit: must be a whole number from 1 to 1000
            'catchUpLimit': -1                  | catchUpLimit: must be a whole number from 1 to 1000
            'startDeadline': '366d'             | startDeadline: must be from 1s to 365d, not 366d
            'startDeadline': 'soon'             | startDeadline: 'soon' is not a duration; write it like 90s, 5m, 1h30m or 1d
            'onLost': 'rerun'                   | onLost: 'rerun' is not one of RERUN, FAIL; did you mean 'RERUN'?
            'priority': -101                    | priority: must be a whole number from -100 to 100
            'priority': 'high'                  | priority: must be a whole number from -100 to 100
            'group': ''                         | group: must be 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen
            'group': ['a', 'b']                 | group: must be a string, not a list
            'nodes': 'role in ()'               | nodes: character 10: expected a value, not ')'; write lists like (ssd,nvme)
            'nodes': ['a']                      | nodes: must be a string, not a list
            'maxPerNode': 0                     | maxPerNode: must be a whole number from 1 to 1000
            'broadcastParallel': 0              | broadcastParallel: must be a whole number from 1 to 1000
            'broadcastParallel': true           | broadcastParallel: must be a whole number from 1 to 1000
            'stopOnFailure': 'yes'              | stopOnFailure: must be true or false, not a string
            'maxRuns': 1.5                      | maxRuns: must be a whole number from 1 to 1000000000
            'jitter': '0s'                      | jitter: must be from 1s to 1d, not 0s
            'jitter': '25h'                     | jitter: must be from 1s to 1d, not 25h
            'finishBy': '6:00'                  | finishBy: must be a time of day such as 06:00, or a duration after the fire time from 1s to 30d, such as 2h, not '6:00'
            'finishBy': '24:00'                 | finishBy: must be a time of day such as 06:00, or a duration after the fire time from 1s to 30d, such as 2h, not '24:00'
            'finishBy': '0s'                    | finishBy: must be a time of day such as 06:00, or a duration after the fire time from 1s to 30d, such as 2h, not '0s'
            'finishBy': '31d'                   | finishBy: must be a time of day such as 06:00, or a duration after the fire time from 1s to 30d, such as 2h, not '31d'
            'finishBy': 6                       | finishBy: must be a string such as "06:00", not a number
            'skipExitCodes': []                 | skipExitCodes: must be a list of at least one whole number from 0 to 255, such as [0, 3]
            'skipExitCodes': [256]              | skipExitCodes[0]: must be a whole number from 0 to 255
            'retry': []                         | retry: must be an object, not a list
            'retry': {'max': 101}               | retry.max: must be a whole number from 1 to 100
            'retry': {'max': null}              | retry.max: is required: how often one occurrence is tried again
            'retry': {'backoff': '1m'}          | retry.max: is required: how often one occurrence is tried again
            'retry': {'max': 1, 'backoff': '0s'}         | retry.backoff: must be from 1s to 1d, not 0s
            'retry': {'max': 1, 'maxBackoff': '8d'}      | retry.maxBackoff: must be from 1s to 7d, not 8d
            'retry': {'max': 1, 'backoff': '2h'}         | retry.maxBackoff: must not be shorter than backoff, 2h; it is 1h if you leave it out
            'retry': {'max': 1, 'onExitCodes': []}       | retry.onExitCodes: must be a list of at least one whole number from 0 to 255, such as [0, 3]
            'retry': {'max': 1, 'onExitCodes': [256]}    | retry.onExitCodes[0]: must be a whole number from 0 to 255
            'retry': {'max': 1, 'onExitCodes': 75}       | retry.onExitCodes: must be a list of at least one whole number from 0 to 255, such as [0, 3]
            'retry': {'max': 1, 'onTimeout': 0}          | retry.onTimeout: must be true or false, not a number
            """)
    void takes_only_what_makes_sense_and_says_what_that_is(String field, String problem) throws Exception {
        ObjectNode job = (ObjectNode) new ObjectMapper().readTree((JOB + field + "}").replace('\'', '"'));

        InvalidDefinition refused = catchThrowableOfType(InvalidDefinition.class, () -> StoredDefinition.parse(job));

        assertThat(refused.problems())
                .singleElement()
                .extracting(p -> p.field() + ": " + p.message())
                .isEqualTo(problem);
    }
}
