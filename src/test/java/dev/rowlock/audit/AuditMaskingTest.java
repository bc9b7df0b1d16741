package dev.rowlock.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditMaskingTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"env":{"DB_PASSWORD":"x","HOME":"/root"}}     | {"env":{"DB_PASSWORD":"***","HOME":"/root"}}
            {"env.API_KEY":"x","env.KEYBOARD":"de"}        | {"env.API_KEY":"***","env.KEYBOARD":"de"}
            {"schedule":["@daily",{"schedule":"@hourly","env":{"TOKEN":"x"}}]} | {"schedule":["@daily",{"schedule":"@hourly","env":{"TOKEN":"***"}}]}
            {"secretEnv":{"DB_URL":"db"}}                  | {"secretEnv":{"DB_URL":"db"}}
            {"secretEnv.DB_PASSWORD":"db"}                 | {"secretEnv.DB_PASSWORD":"db"}
            {"command":"mysql --password=x -e 1"}          | {"command":"mysql --password=*** -e 1"}
            {"command":"x --token abc def"}                | {"command":"x --token *** def"}
            {"command":"MYSQL_PWD='a b' mysql"}            | {"command":"MYSQL_PWD=*** mysql"}
            {"command":["curl","https://u:p@host/x"]}      | {"command":["curl","https://u:***@host/x"]}
            {"command":"curl -H 'Authorization: Bearer abcdef1234' x"} | {"command":"curl -H 'Authorization: Bearer ***' x"}
            {"env":{"DB_PASS":"x","PGPASS":"y","COMPARE":"z"}} | {"env":{"DB_PASS":"***","PGPASS":"***","COMPARE":"z"}}
            {"command":"DB_PASS=x run --pass y"}           | {"command":"DB_PASS=*** run --pass ***"}
            {"command":"passing=5 run"}                    | {"command":"passing=5 run"}
            {"command":["psql","--password","x","-c","1"]} | {"command":["psql","--password","***","-c","1"]}
            {"command":["x","-token","y"]}                 | {"command":["x","-token","***"]}
            {"command":["curl","-u","me:x","https://h/"]}  | {"command":["curl","-u","me:***","https://h/"]}
            {"command":["curl","-ume:x","https://h/"]}     | {"command":["curl","-ume:***","https://h/"]}
            {"command":["curl","-u","me","https://h/"]}    | {"command":["curl","-u","me","https://h/"]}
            {"command":"curl -s -u me:x https://h/"}       | {"command":"curl -s -u me:*** https://h/"}
            {"command":"curl --user 'me:x' https://h/"}    | {"command":"curl --user 'me:***' https://h/"}
            {"command":["/usr/bin/mysqldump","-px","-P3306"]} | {"command":["/usr/bin/mysqldump","-p***","-P3306"]}
            {"command":"mysql -u me -px -e 1"}             | {"command":"mysql -u me -p*** -e 1"}
            {"command":"mysql -u me -p -e 1"}              | {"command":"mysql -u me -p -e 1"}
            {"command":["mkdir","-p","/a"]}                | {"command":["mkdir","-p","/a"]}
            {"command":"echo token","n":1,"b":null}        | {"command":"echo token","n":1,"b":null}
            {"command":"psql postgres://host:5432/db"}     | {"command":"psql postgres://host:5432/db"}
            """)
    void what_looks_like_a_secret_is_hidden_and_all_else_stays(String value, String masked) throws Exception {
        ObjectMapper json = new ObjectMapper();
        assertThat(AuditMasking.masked(json.readTree(value))).isEqualTo(json.readTree(masked));
    }

    @Test
    void no_text_takes_long() {
        for (String piece : new String[] {
            "a",
            "-",
            "token",
            "a:",
            "://",
            "--token ",
            "bearer ",
            "curl ",
            "curl -u a ",
            "mysql ",
            "mysql -",
            "pass",
            " --pass"
        }) {
            String text = piece.repeat(128 * 1024 / piece.length());
            Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> AuditMasking.masked(text));
        }
    }
}
