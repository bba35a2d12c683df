// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.terrace.Knots;

/** The tools run with a JRE and their jar alone; only the package doctor runs in HBase. */
@AnalyzeClasses(
    packages = "dev.terrace.tools",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ToolsArchitectureTest {

  @ArchTest
  static final ArchRule onlyDoctorKnowsHBase =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.terrace.tools.doctor")
          .should()
          .dependOnClassesThat(resideInAnyPackage("org.apache..", "org.slf4j.."));

  /** It runs without picocli. */
  @ArchTest
  static final ArchRule doctorKnowsNoCommandLine =
      noClasses()
          .that()
          .resideInAPackage("dev.terrace.tools.doctor")
          .should()
          .dependOnClassesThat(resideInAnyPackage("dev.terrace.tools", "picocli.."));

  @ArchTest
  static final ArchRule noCyclesOfPackages =
      slices().matching("dev.terrace.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule noKnots = classes().should(new Knots(3));

  @ArchTest
  static final ArchRule nothingWaitsBySleeping =
      noClasses().should().callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule nothingWritesToTheConsole =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");
}
