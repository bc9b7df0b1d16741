package dev.rowlock.cli.call;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Routes that a command asks for, as the contract of the API calls them: {@code GET /api/v1/jobs/{ns}/{name}}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Routes {
    String[] value();
}
