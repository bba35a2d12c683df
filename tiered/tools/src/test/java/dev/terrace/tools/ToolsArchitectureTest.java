/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
