// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.terrace.api.EvictionCause;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.tiered.trace.RecordedTrace;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which package may know which: hbase, then tiered, then the tiers, then region, then api, never
 * the other way, and no tier another one. HBase and Hadoop are known to hbase alone.
 *
 * <p>No package is large, and none knows itself through others.
 */
@AnalyzeClasses(
    packages = {"dev.terrace", "org.apache.hadoop.hbase.io.hfile"},
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.OnlyTerrace.class})
class ArchitectureTest {

  /** Leaves HBase's own classes out, and keeps the one that Terrace has in HBase's package. */
  static final class OnlyTerrace implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/hbase-") && !location.contains("-tests.jar");
    }
  }

  /** A larger package is several packages. */
  private static final int MAX_FILES = 30;

  /** More classes than these cannot be read one by one, if each knows each. */
  private static final int MAX_KNOTTED = 3;

  private static final String API = "dev.terrace.api..";
  private static final String REGION = "dev.terrace.region..";
  private static final String INSPECT = "dev.terrace.region.inspect..";
  private static final String LOG = "dev.terrace.region.log..";
  private static final String READ = "dev.terrace.region.read..";
  private static final String WORK = "dev.terrace.region.work..";
  private static final String DRAM = "dev.terrace.dram..";
  private static final String PMEM = "dev.terrace.pmem..";
  private static final String SSD = "dev.terrace.ssd..";
  private static final String TIERED = "dev.terrace.tiered..";
  private static final String PLAN = "dev.terrace.tiered.plan..";
  private static final String HBASE = "dev.terrace.hbase..";
  private static final String SETTINGS = "dev.terrace.hbase.settings..";
  private static final String CHECKS = "dev.terrace.hbase.preflight..";
  private static final String STUB = "org.apache.hadoop.hbase.io.hfile..";

  @ArchTest static final ArchRule apiKnowsNoOther = knowsOfTerraceOnly(API);

  @ArchTest
  static final ArchRule regionKnowsApi = knowsOfTerraceOnly(REGION, API).allowEmptyShould(true);

  /** A log knows none who reads it, readers none who work on it, and none of them the tier. */
  @ArchTest static final ArchRule theLogKnowsNoReader = isUnknownTo(READ, LOG);

  @ArchTest static final ArchRule readersKnowNoWorker = isUnknownTo(WORK, LOG, READ);

  @ArchTest
  static final ArchRule noRoomKnowsTheTier = isUnknownTo("dev.terrace.region", LOG, READ, WORK);

  @ArchTest static final ArchRule dramKnowsApiAndRegion = knowsOfTerraceOnly(DRAM, API, REGION);

  @ArchTest
  static final ArchRule pmemKnowsApiAndRegion =
      knowsOfTerraceOnly(PMEM, API, REGION).allowEmptyShould(true);

  @ArchTest
  static final ArchRule ssdKnowsApiAndRegion =
      knowsOfTerraceOnly(SSD, API, REGION).allowEmptyShould(true);

  @ArchTest
  static final ArchRule tieredKnowsTheTiers =
      knowsOfTerraceOnly(TIERED, API, REGION, DRAM, PMEM, SSD);

  @ArchTest
  static final ArchRule hbaseKnowsAllButBench =
      knowsOfTerraceOnly(HBASE, API, REGION, DRAM, PMEM, SSD, TIERED);

  /** The tools use some of these where HBase is not on the class path. */
  @ArchTest
  static final ArchRule settingsAndChecksKnowNoHBase =
      noClasses()
          .that()
          .resideInAnyPackage(SETTINGS, CHECKS)
          .and()
          .doNotHaveFullyQualifiedName(SiteValues.class.getName())
          .should()
          .dependOnClassesThat(resideInAnyPackage("org.apache.hadoop..", "org.apache.hbase.."));

  @ArchTest
  static final ArchRule whatTheToolsUseDoesNotLog =
      noClasses()
          .that()
          .resideInAnyPackage(CHECKS, PLAN)
          .should()
          .dependOnClassesThat(resideInAPackage("org.slf4j.."));

  /** These are in the tools' jar, and not in the server's. */
  @ArchTest
  static final ArchRule theServerReadsNoStoppedCacheOrTrace =
      noClasses()
          .that()
          .resideOutsideOfPackage(INSPECT)
          .and()
          .doNotHaveFullyQualifiedName(ReadOnlyDevice.class.getName())
          .and()
          .resideOutsideOfPackage("dev.terrace.tiered.trace")
          .should()
          .dependOnClassesThat(
              resideInAPackage(INSPECT)
                  .or(assignableTo(ReadOnlyDevice.class))
                  .or(assignableTo(RecordedTrace.class)));

  @ArchTest
  static final ArchRule theStubKnowsNothingOfTerrace =
      noClasses()
          .that()
          .resideInAPackage(STUB)
          .should()
          .dependOnClassesThat(resideInAPackage("dev.terrace.."));

  @ArchTest
  static final ArchRule onlyTheAdapterKnowsHBase =
      noClasses()
          .that()
          .resideOutsideOfPackages(HBASE, STUB)
          .should()
          .dependOnClassesThat(resideInAnyPackage("org.apache.hadoop..", "org.apache.hbase.."));

  @ArchTest
  static final ArchRule noCyclesOfPackages =
      slices().matching("dev.terrace.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule noKnots = classes().should(new Knots(MAX_KNOTTED));

  @ArchTest
  static void noPackageIsLarge(JavaClasses all) {
    Map<String, Set<String>> files = new TreeMap<>();
    for (JavaClass each : all) {
      Set<String> inPackage = files.computeIfAbsent(each.getPackageName(), name -> new TreeSet<>());
      inPackage.add("package-info.java");
      each.getSource().flatMap(Source::getFileName).ifPresent(inPackage::add);
    }
    assertThat(files)
        .allSatisfy((name, names) -> assertThat(names).hasSizeLessThanOrEqualTo(MAX_FILES));
  }

  /** The one class tells of all of it in the log. */
  @ArchTest
  static final ArchRule oneClassDropsWhatIsDamaged =
      noClasses()
          .that()
          .resideInAPackage(REGION)
          .and()
          .doNotHaveFullyQualifiedName("dev.terrace.region.log.Residents")
          .should()
          .accessField(EvictionCause.class, "CORRUPTION");

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

  private static ArchRule isUnknownTo(String known, String... rooms) {
    return noClasses()
        .that()
        .resideInAnyPackage(rooms)
        .should()
        .dependOnClassesThat(resideInAPackage(known));
  }

  private static ArchRule knowsOfTerraceOnly(String self, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(self)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.terrace..")
                .and(not(resideInAPackage(self)))
                .and(not(resideInAnyPackage(others))));
  }
}
