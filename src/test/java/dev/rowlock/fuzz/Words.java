package dev.rowlock.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts that break what forgets to quote, to decode or to bound. */
final class Words {

    private static final List<String> HARMLESS = List.of(
            "",
            " ",
            "\t\r\n",
            "\0",
            "a\0b",
            "..",
            "../../../../etc/passwd",
            "..\\..\\windows\\win.ini",
            "/etc/shadow",
            "file:/etc/shadow",
            "file:/proc/self/environ",
            "env:PATH",
            "%2e%2e%2f",
            "%00",
            "%",
            "%n%n%n%s",
            "{{7*7}}",
            "${jndi:ldap://127.0.0.1:1/a}",
            "${env:PATH}",
            "<script>alert(1)</script>",
            "\"><svg onload=alert(1)>",
            "a\r\nX-Injected: yes",
            "a\nb",
            "' or '1'='1",
            "'; drop table job; -- ",
            "\" or \"\"=\"",
            "1; select sleep(5)",
            "\\' union select hash from api_token -- ",
            "job') or sleep(5) or ('",
            "%' or 1=1 -- ",
            "_%_%",
            "\\",
            "\\\\",
            "`",
            ":name",
            ":ns <ids>",
            "null",
            "undefined",
            "true",
            "NaN",
            "Infinity",
            "-1",
            "0",
            "00",
            "1e309",
            "2147483648",
            "9223372036854775808",
            "99999999999999999999999999999999",
            "0x7fffffff",
            "１２３",
            "ß",
            "İi̇ıI",
            "Ω≈ç√∫˜µ≤≥÷",
            "\u202egnp.exe",
            "\ufeff",
            "\ufffe",
            "\u2028\u2029",
            "e\u0301",
            "👩‍👩‍👧‍👦",
            "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
            "表ポあA鷗",
            "__proto__",
            "constructor",
            "a.b.c",
            "a/b",
            "a b",
            "-rf",
            "--help",
            "admin ",
            " j1",
            "j1 ",
            "J1",
            "own.",
            "OWN",
            "1970-01-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "+999999999-12-31T23:59:59Z",
            "2026-02-30T00:00:00Z",
            "2026-03-29T02:30:00+99:99",
            "P1Y",
            "999999999999d",
            "1s1s1s",
            "-5m",
            "0 0 31 2 *",
            "61 * * * *",
            "@every 0s",
            "a in (",
            "!!a",
            "a=b,".repeat(400),
            "(".repeat(5_000),
            "(a|".repeat(3_000),
            "!".repeat(4_000),
            "\"".repeat(1_001),
            "\\u0000".repeat(500),
            "é".repeat(2_000),
            "x".repeat(10_000),
            "1,".repeat(2_000),
            "1-2/3,".repeat(2_000));

    /** Only as data: in what is meant to be run, they would be. */
    private static final List<String> OF_SHELLS = List.of(
            "*",
            "?",
            "$(touch %s)",
            "`touch %s`",
            "; touch %s #",
            "| touch %s",
            "&& touch %s",
            "\ntouch %s\n",
            "a'$(touch %s)'b");

    private final List<String> all = new ArrayList<>(HARMLESS);

    /** @param mark a path that nothing makes unless a shell has read one of these */
    Words(String mark) {
        OF_SHELLS.forEach(word -> all.add(word.formatted(mark)));
    }

    String any(Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** One that does nothing where commands are expected. */
    static String harmless(Random random) {
        return HARMLESS.get(random.nextInt(HARMLESS.size()));
    }
}
