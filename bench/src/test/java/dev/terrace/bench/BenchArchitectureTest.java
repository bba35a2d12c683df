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
package dev.terrace.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The packages of the bench know one another one way only; nothing knows the command line. */
@AnalyzeClasses(
    packages = "dev.terrace.bench",
    importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {

  @ArchTest
  static final ArchRule noCyclesOfPackages =
      slices().matching("dev.terrace.bench.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingKnowsTheRoot =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.terrace.bench")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.terrace.bench");
}
