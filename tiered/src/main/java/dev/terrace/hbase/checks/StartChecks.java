// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SettingsReader;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The settings of a start, and all that was found by looking at it. */
public final class StartChecks {

  private static final List<Check> CHECKS =
      List.of(
          new PathCheck(),
          new MemoryCheck(),
          start -> Descriptors.ofThisProcess().findings(start.settings()),
          new HBaseCheck(),
          new VersionCheck());

  private final Check.Start start;
  private final MemorySum memory;
  private final List<Finding> findings;

  private StartChecks(Check.Start start, MemorySum memory, List<Finding> findings) {
    this.start = start;
    this.memory = memory;
    this.findings = findings;
  }

  /** Runs all checks. They change nothing, and take no lock. */
  public static StartChecks of(SiteValues site, ServerProcess process) {
    List<Finding> findings = new ArrayList<>();
    TerraceSettings settings =
        SettingsReader.check(site, process.directMemoryLimitBytes(), findings);
    Check.Start start = new Check.Start(site, settings, process);
    CHECKS.forEach(check -> findings.addAll(check.of(start)));
    MemorySum memory = MemorySum.of(start);
    findings.addAll(memory.findings());
    return new StartChecks(start, memory, findings);
  }

  /** What disks and memory lack now for tiers that are to grow to some settings. */
  public List<Finding> ofGrowth(TerraceSettings grown) {
    Check.Start now = new Check.Start(start.site(), grown, start.process().now());
    List<Finding> lacks = new ArrayList<>(now.paths().faults());
    try {
      lacks.addAll(DiskShares.check(grown, now.paths()));
    } catch (IOException e) {
      lacks.add(UsablePaths.unreadable(e));
    }
    lacks.addAll(MemorySum.of(now).findings());
    return lacks.stream().filter(Finding::isError).toList();
  }

  /** Whether a path hangs, so that nothing may be asked of it. */
  public boolean isSilent(Path path) {
    return start.paths().isSilent(path);
  }

  /** The memory that the server may take. */
  public MemorySum memory() {
    return memory;
  }

  /** Terrace's settings; those that cannot be used count as absent. */
  public TerraceSettings settings() {
    return start.settings();
  }

  /** What keeps the region server from its start. */
  public List<Finding> errors() {
    return findings.stream().filter(Finding::isError).toList();
  }

  /** What it can start with. */
  public List<Finding> warnings() {
    return findings.stream().filter(finding -> !finding.isError()).toList();
  }
}
