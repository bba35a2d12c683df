// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.terrace.Knots;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The packages of the bench know one another one way only, none is large, and nothing knows the
 * command line.
 */
@AnalyzeClasses(
    packages = "dev.terrace.bench",
    importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {

  /** A larger package is several packages. */
  private static final int MAX_FILES = 30;

  /** More classes than these cannot be read one by one, if each knows each. */
  private static final int MAX_KNOTTED = 3;

  @ArchTest
  static void noPackageIsLarge(JavaClasses all) {
    Map<String, Set<String>> files = new TreeMap<>();
    for (JavaClass each : all) {
      Set<String> inPackage = files.computeIfAbsent(each.getPackageName(), name -> new TreeSet<>());
      inPackage.add("package-info.java");
      each.getSource().flatMap(Source::getFileName).ifPresent(inPackage::add);
    }
    // What JMH generates is not read.
    files.keySet().removeIf(name -> name.endsWith(".jmh_generated"));
    assertThat(files)
        .isNotEmpty()
        .allSatisfy((name, names) -> assertThat(names).hasSizeLessThanOrEqualTo(MAX_FILES));
  }

  @ArchTest
  static final ArchRule noCyclesOfPackages =
      slices().matching("dev.terrace.bench.(*)..").should().beFreeOfCycles();

  @ArchTest static final ArchRule noKnots = classes().should(new Knots(MAX_KNOTTED));

  @ArchTest
  static final ArchRule nothingKnowsTheRoot =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.terrace.bench")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.terrace.bench");
}
