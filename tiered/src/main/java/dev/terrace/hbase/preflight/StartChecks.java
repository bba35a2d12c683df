// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SettingsReader;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.List;

/**
 * The settings of a start, and all findings of the checks. The server and the command {@code
 * doctor} run the same checks, so nothing in this package depends on HBase or SLF4J.
 */
public final class StartChecks {

  private final SiteValues site;
  private final ServerProcess process;
  private final TerraceSettings settings;
  private final PathCheck paths;
  private final MemoryCheck memory;
  private final Findings findings = new Findings();

  /** Runs all checks, which change nothing and take no lock. */
  public StartChecks(SiteValues site, ServerProcess process) {
    this.site = site;
    this.process = process;
    this.settings = SettingsReader.check(site, process.directMemoryLimitBytes(), findings);
    this.paths = new PathCheck(settings);
    this.memory = new MemoryCheck(site, settings, paths, process);
    findings.addAll(paths.findings());
    memory.check(findings);
    HBaseCheck.checkDescriptors(settings, HBaseCheck.maxDescriptors(), findings);
    HBaseCheck.check(site, settings, findings);
    HBaseCheck.checkVersions(process.hbaseVersion(), Runtime.version().feature(), findings);
  }

  /** What disks lack, and memory lacks or would be scarce of, if tiers are to grow. */
  public List<Finding> ofGrowth(TerraceSettings grown) {
    ServerProcess now = process.now();
    PathCheck pathsNow = new PathCheck(grown);
    Findings found = new Findings();
    pathsNow.findings().stream().filter(Finding::isError).forEach(found::add);
    new MemoryCheck(site, grown, pathsNow, now).check(found);
    return found;
  }

  public PathCheck paths() {
    return paths;
  }

  public MemoryCheck memory() {
    return memory;
  }

  /** Terrace's settings; those that cannot be used count as absent. */
  public TerraceSettings settings() {
    return settings;
  }

  /** The findings that prevent the region server from starting. */
  public List<Finding> errors() {
    return findings.stream().filter(Finding::isError).toList();
  }

  /** The findings with which the region server can start. */
  public List<Finding> warnings() {
    return findings.stream().filter(finding -> !finding.isError()).toList();
  }
}
