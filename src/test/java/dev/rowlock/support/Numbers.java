package dev.rowlock.support;

/** Whole numbers as rows, to make many rows of. */
public final class Numbers {

    private static final String DIGITS =
            "(select 0 n union all select 1 union all select 2 union all select 3 union all select 4"
                    + " union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)";

    private Numbers() {}

    /** A derived table {@code numbers} with the column {@code n}, from 1 to {@code most}, which is at most 100,000. */
    public static String upTo(int most) {
        return "(select n from (select a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 1 as n from " + DIGITS
                + " a join "
                + DIGITS + " b join " + DIGITS + " c join " + DIGITS + " d join " + DIGITS + " e) tens where n <= "
                + most
                + ") numbers";
    }
}
