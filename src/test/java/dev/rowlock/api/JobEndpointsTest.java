package dev.rowlock.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.api.Api.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class JobEndpointsTest {

    private static final String BACKUP = """
            {"name": "backup", "schedule": "0 3 * * *", "command": "true"}""";

    @RegisterExtension
    static final Api api = new Api();

    @Test
    void a_job_is_created_with_defaults_and_a_cursor() {
        Reply created = api.post("/jobs", BACKUP);

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo("/api/v1/jobs/default/backup");
        assertThat(created.header("ETag")).isEqualTo("\"1\"");
        assertThat(created.body().path("state").asText()).isEqualTo("IDLE");
        assertThat(created.body().path("killGrace").asText()).isEqualTo("10s");
        assertThat(created.body().path("nextFireTime").asText()).endsWith("T03:00:00.000Z");
        assertThat(api.rows("select stripe = job_id % 64, origin, attempt, cause, state, cursor_of = job_id,"
                        + " fire_time = due_at from live_task"))
                .containsExactly("1  1 SCHEDULE IDLE 1 1");
        assertThat(api.rows("select version, paused, valid_until from job_version"))
                .containsExactly("1 0 null");
    }

    @Test
    void a_job_that_exists_is_not_created_again() {
        api.post("/jobs", BACKUP);

        assertThat(api.post("/jobs", BACKUP).status()).isEqualTo(409);
        assertThat(api.rows("select count(*) from job_version")).containsExactly("1");
    }

    @Test
    void what_was_got_can_be_edited_and_put_back() {
        api.post("/jobs", BACKUP);
        Reply got = api.get("/jobs/default/backup");

        Reply same = api.put("/jobs/default/backup", got.text(), "If-Match", got.header("ETag"));
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.header("ETag")).isEqualTo("\"1\"");

        Reply changed = api.put("/jobs/default/backup", got.text().replace("\"true\"", "\"false\""));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.header("ETag")).isEqualTo("\"2\"");
        assertThat(api.rows("select version, valid_until is null from job_version order by version"))
                .containsExactly("1 0", "2 1");
        assertThat(api.rows("select job_version from live_task")).containsExactly("2");
    }

    @ParameterizedTest
    @CsvSource({
        "EST,     2026-07-01T08:00:00.000Z, 'zone: the clocks of EST (America/Panama in the IANA database) never change;"
                + " if they are to go with daylight saving time, name America/New_York'",
        "MST,     2026-07-01T10:00:00.000Z, 'zone: the clocks of MST (America/Phoenix in the IANA database) never change;"
                + " if they are to go with daylight saving time, name America/Denver'",
        "HST,     2026-07-01T13:00:00.000Z,",
        "EST5EDT, 2026-07-01T07:00:00.000Z,",
        "ROC,     2026-07-01T19:00:00.000Z,",
        "GMT+0,   2026-07-01T03:00:00.000Z,",
        "US/Eastern, 2026-07-01T07:00:00.000Z,",
    })
    void a_zone_is_kept_by_the_name_that_was_sent(String zone, String three, @Nullable String warning) {
        String path = "/jobs/default/zone-" + zone.replaceAll("[^A-Z0-9a-z]", "-");
        String body = "{\"schedule\": \"0 3 * * *\", \"command\": \"x\", \"zone\": \"" + zone + "\"}";

        Reply saved = api.put(path, body);

        assertThat(saved.body().path("zone").asText()).isEqualTo(zone);
        assertThat(api.get(path).body().path("zone").asText()).isEqualTo(zone);
        assertThat(api.rows("select zone from v_job")).containsExactly(zone);
        assertThat(api.get(path + "/next?count=1&from=2026-07-01T00:00:00Z")
                        .body()
                        .at("/fireTimes/0")
                        .asText())
                .isEqualTo(three);
        if (warning == null) {
            assertThat(saved.body().path("warnings")).isEmpty();
        } else {
            assertThat(saved.body().path("warnings").get(0).asText()).isEqualTo(warning);
        }
        assertThat(api.put(path, body).body().path("version").asInt())
                .as("nothing is different")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"TZ=EST 0 3 * * *\"", "[\"CRON_TZ=EST 0 3 * * *\", \"0 4 * * *\"]"})
    void a_zone_in_the_schedule_warns_as_the_field_does(String schedule) {
        String body = "{\"schedule\": " + schedule;
        Reply saved = api.put("/jobs/default/east", body + ", \"command\": \"x\"}");
        Reply seen = api.post("/schedules/preview", body + "}");

        for (Reply reply : List.of(saved, seen)) {
            assertThat(reply.body().path("warnings").toString()).contains("the clocks of EST (America/Panama");
        }
    }

    @Test
    void put_creates_what_is_missing_and_is_idempotent() {
        String job = "{\"schedule\": \"0 3 * * *\", \"command\": \"true\"}";
        assertThat(api.put("/jobs/ns/a", job).status()).isEqualTo(201);
        assertThat(api.put("/jobs/ns/a", job).status()).isEqualTo(200);
        assertThat(api.put("/jobs/ns/a", job, "If-None-Match", "*").status()).isEqualTo(412);
        assertThat(api.put("/jobs/ns/b", job, "If-Match", "*").status()).isEqualTo(412);
        assertThat(api.rows("select namespace, name, version from job")).containsExactly("ns a 1");
    }

    @Test
    void a_change_of_another_version_is_refused() {
        api.post("/jobs", BACKUP);
        for (Reply reply : List.of(
                api.put("/jobs/default/backup", BACKUP, "If-Match", "\"2\""),
                api.call("PATCH", "/jobs/default/backup", "{}", "If-Match", "\"2\""),
                api.call("DELETE", "/jobs/default/backup", null, "If-Match", "\"2\", \"x\""))) {
            assertThat(reply.status()).isEqualTo(412);
        }
        assertThat(api.call("DELETE", "/jobs/default/backup", null, "If-Match", "\"1\"")
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_job_that_is_deleted_and_made_again_is_not_taken_for_the_first_one() {
        String first = api.post("/jobs", BACKUP).header("ETag");
        String second =
                api.put("/jobs/default/backup", BACKUP.replace("true", "false")).header("ETag");
        api.call("DELETE", "/jobs/default/backup", null);

        Reply again = api.post("/jobs", BACKUP);

        assertThat(again.header("ETag")).isEqualTo("\"3\"");
        assertThat(again.body().path("version").asInt()).isEqualTo(3);
        assertThat(api.rows("select job_version, cursor_of = job_id from live_task"))
                .containsExactly("3 1");
        for (String old : List.of(first, second)) {
            assertThat(api.put("/jobs/default/backup", BACKUP.replace("true", "false"), "If-Match", old)
                            .status())
                    .isEqualTo(412);
            assertThat(api.call("DELETE", "/jobs/default/backup", null, "If-Match", old)
                            .status())
                    .isEqualTo(412);
        }
        assertThat(api.put("/jobs/default/backup", BACKUP.replace("true", "false"), "If-Match", "\"3\"")
                        .header("ETag"))
                .isEqualTo("\"4\"");
        assertThat(api.post("/jobs", BACKUP.replace("backup", "other")).header("ETag"))
                .isEqualTo("\"1\"");
    }

    @Test
    void of_two_changes_of_one_version_one_wins() {
        api.post("/jobs", BACKUP);
        List<CompletableFuture<Integer>> puts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String body = BACKUP.replace("true", "echo " + i);
            puts.add(CompletableFuture.supplyAsync(() ->
                    api.put("/jobs/default/backup", body, "If-Match", "\"1\"").status()));
        }
        List<Integer> statuses = puts.stream().map(CompletableFuture::join).toList();
        assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 412);
        assertThat(api.one("select version from job")).isEqualTo("2");
    }

    @Test
    void changes_without_a_precondition_all_happen_one_after_the_other() {
        List<CompletableFuture<Integer>> puts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String body = BACKUP.replace("true", "echo " + i);
            puts.add(CompletableFuture.supplyAsync(
                    () -> api.put("/jobs/default/backup", body).status()));
        }
        List<Integer> statuses = puts.stream().map(CompletableFuture::join).toList();
        assertThat(statuses).containsOnlyOnce(201).containsOnly(200, 201);
        assertThat(api.one("select version from job")).isEqualTo("6");
        assertThat(api.one("select count(*) from job_version where valid_until is null"))
                .isEqualTo("1");
        assertThat(api.one("select count(*) from live_task where cursor_of is not null"))
                .isEqualTo("1");
    }

    @Test
    void a_patch_changes_what_it_names() {
        api.post("/jobs", """
                {"name": "backup", "schedule": "@manual", "command": "x", "env": {"A": "1", "B": "2"}, "timeout": "5m"}""");

        Reply reply = api.call(
                "PATCH",
                "/jobs/default/backup",
                "{\"env\": {\"A\": null, \"C\": \"3\"}, \"timeout\": null, \"paused\": true}",
                "Content-Type",
                "application/merge-patch+json");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().path("env").toString()).isEqualTo("{\"B\":\"2\",\"C\":\"3\"}");
        assertThat(reply.body().path("timeout").isNull()).isTrue();
        assertThat(reply.body().path("state").asText()).isEqualTo("PAUSED");
    }

    @Test
    void a_put_without_paused_leaves_a_paused_job_paused() {
        api.post("/jobs", BACKUP);
        api.post("/jobs/default/backup/pause", "");

        Reply reply = api.put("/jobs/default/backup", BACKUP.replace("true", "false"));

        assertThat(reply.body().path("paused").asBoolean()).isTrue();
    }

    @Test
    void every_field_comes_back_as_it_was_sent() throws Exception {
        String job = """
                {"namespace": "n", "name": "full", "description": "d\\u00e9", "labels": {"team": "x"}, "schedule": "0 3 * * *",
                 "zone": "Europe/Berlin", "daylightSaving": "PLAIN", "command": "echo \\ud83d\\ude00", "workdir": "/tmp",
                 "env": {"A": "1"}, "timeout": "1h30m", "killGrace": "500ms", "onLost": "FAIL",
                 "startAt": "2026-01-01T00:00:00.000Z", "endAt": "2090-01-01T00:00:00.000Z", "successExitCodes": [0, 3],
                 "paused": true}""";
        Reply reply = api.post("/jobs", job);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        var sent = Api.JSON.readTree(job);
        sent.fieldNames()
                .forEachRemaining(f ->
                        assertThat(api.get("/jobs/n/full").body().path(f)).as(f).isEqualTo(sent.path(f)));
    }

    @Test
    void jobs_are_listed_page_by_page_and_filtered() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            api.put(
                    "/jobs/n/" + name,
                    "{\"schedule\": \"@manual\", \"command\": \"x\", \"labels\": {\"l\": \"" + name
                            + "\"}, \"description\": \"Makes " + name.toUpperCase(java.util.Locale.ROOT) + "\"}");
        }
        api.put("/jobs/m/z", "{\"schedule\": \"0 0 * * *\", \"command\": \"x\", \"paused\": true}");

        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get("/jobs?limit=2" + cursor);
            page.body().path("items").forEach(j -> seen.add(j.path("name").asText()));
            cursor = page.body().path("nextCursor").isNull()
                    ? ""
                    : "&cursor=" + page.body().path("nextCursor").asText();
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactly("z", "a", "b", "c", "d", "e");

        assertThat(api.get("/jobs?namespace=n").body().path("items").size()).isEqualTo(5);
        assertThat(api.get("/jobs?label=l").body().path("items").size()).isEqualTo(5);
        assertThat(api.get("/jobs?label=l%3Dc").body().path("items").size()).isEqualTo(1);
        assertThat(api.get("/jobs?q=makes%20b").body().path("items").size()).isEqualTo(1);
        assertThat(api.get("/jobs?q=%25").body().path("items").size()).isEqualTo(0);
        assertThat(api.get("/jobs?state=PAUSED").body().path("items").size()).isEqualTo(1);
        assertThat(api.get("/jobs?state=IDLE").body().path("items").size()).isEqualTo(5);
        for (String state : List.of("EXECUTING", "PREPARED", "ENDED")) {
            assertThat(api.get("/jobs?state=" + state).body().path("items").size())
                    .isEqualTo(0);
        }
    }

    @Test
    void a_page_of_large_jobs_ends_early_and_says_where_it_goes_on() {
        String command = "true #" + "x".repeat(60_000);
        for (int i = 10; i < 60; i++) {
            api.put("/jobs/n/a" + i, "{\"schedule\": \"@manual\", \"command\": \"" + command + "\"}");
        }
        List<Integer> pages = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get("/jobs?limit=1000" + cursor);
            pages.add(page.text().length());
            page.body().path("items").forEach(j -> seen.add(j.path("name").asText()));
            cursor = page.body().path("nextCursor").isNull()
                    ? ""
                    : "&cursor=" + page.body().path("nextCursor").asText();
        } while (!cursor.isEmpty());

        assertThat(seen).hasSize(50).isSorted().doesNotHaveDuplicates();
        assertThat(pages)
                .hasSizeGreaterThan(2)
                .allSatisfy(size -> assertThat(size).isLessThan(1_200_000));
    }

    @Test
    void the_next_fire_times_are_told_in_utc() {
        api.put("/jobs/n/a", "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"command\": \"x\"}");

        Reply next = api.get("/jobs/n/a/next?count=2&from=2026-01-01T00:00:00Z");
        assertThat(next.body().path("fireTimes").toString())
                .isEqualTo("[\"2026-01-01T02:00:00.000Z\",\"2026-01-02T02:00:00.000Z\"]");

        Reply preview = api.post(
                "/schedules/preview",
                "{\"schedule\": \"TZ=Europe/Berlin 0 3 * * *\", \"from\": \"2026-01-01T00:00:00Z\", \"count\": 1}");
        assertThat(preview.status()).as(preview.text()).isEqualTo(200);
        assertThat(preview.body().path("fireTimes").toString()).isEqualTo("[\"2026-01-01T02:00:00.000Z\"]");
        assertThat(preview.body().path("zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(preview.body().path("description").asText()).isNotEmpty();
    }

    @Test
    void fire_times_lie_between_start_and_end() {
        api.put("/jobs/n/a", """
                {"schedule": "0 0 * * *", "command": "x",
                 "startAt": "2030-01-02T00:00:00Z", "endAt": "2030-01-04T00:00:00Z"}""");

        assertThat(api.get("/jobs/n/a/next").body().path("fireTimes").toString())
                .isEqualTo("[\"2030-01-02T00:00:00.000Z\",\"2030-01-03T00:00:00.000Z\"]");
    }
}
