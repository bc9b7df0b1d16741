package dev.rowlock.support;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Classes of the program as ArchUnit reads them, which takes seconds: once for all tests that ask. */
public final class HouseClasses {

    /** Wherever the build puts them: ArchUnit's own option knows Maven's usual directories alone. */
    public static final ImportOption TESTS = location -> location.contains("/test-classes/");

    public static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(location -> !TESTS.includes(location))
            .importPackages("dev.rowlock");

    private HouseClasses() {}
}
