package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogEncoderTest {

    private final LoggerContext context = new LoggerContext();
    private final Logger log = context.getLogger("dev.rowlock.Some");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final LogEncoder encoder = new LogEncoder();

    @BeforeEach
    void start() {
        context.setMDCAdapter(MDC.getMDCAdapter());
        lines.start();
        log.addAppender(lines);
        encoder.setContext(context);
        encoder.setPattern("%level %msg%n");
        encoder.start();
    }

    @AfterEach
    void asBefore() {
        LogEncoder.writeJson(false);
        MDC.clear();
    }

    @Test
    void a_line_is_written_by_its_pattern_or_as_an_object() throws Exception {
        MDC.put("request", "r-1");
        log.atWarn().addKeyValue("job", "ops/a").addKeyValue("task", 17L).log("two\nlines \"of\" {}", "words");
        ILoggingEvent event = lines.list.get(0);

        assertThat(text(event)).isEqualTo("WARN two\nlines \"of\" words\n");
        LogEncoder.writeJson(true);

        assertThat(text(event)).endsWith("}\n").matches("[^\n]*\n");
        JsonNode json = new ObjectMapper().readTree(text(event));
        assertThat(json.path("time").asText()).endsWith("Z");
        assertThat(json.path("level").asText()).isEqualTo("WARN");
        assertThat(json.path("logger").asText()).isEqualTo("dev.rowlock.Some");
        assertThat(json.path("thread").asText())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(json.path("message").asText()).isEqualTo("two\nlines \"of\" words");
        assertThat(json.path("job").asText()).isEqualTo("ops/a");
        assertThat(json.path("task").isIntegralNumber()).isTrue();
        assertThat(json.path("request").asText()).isEqualTo("r-1");
        assertThat(json.has("exception")).isFalse();
    }

    @Test
    void an_exception_is_a_field() throws Exception {
        LogEncoder.writeJson(true);
        log.error("bad", new IllegalStateException("why"));

        assertThat(new ObjectMapper()
                        .readTree(text(lines.list.get(0)))
                        .path("exception")
                        .asText())
                .contains("IllegalStateException: why", "at dev.rowlock.LogEncoderTest");
    }

    private String text(ILoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
