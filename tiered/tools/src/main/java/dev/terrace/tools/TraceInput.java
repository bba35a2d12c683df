// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.NestedShares;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.trace.Trace;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options of commands that take a trace: the file, and the sizes of the tiers. */
public final class TraceInput {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "The file with the trace.")
  private Path traceFile;

  @Option(
      names = "--dram",
      paramLabel = "SIZE",
      defaultValue = "5%",
      description = "Size of the DRAM tier (default: 5%%).")
  private Size dram;

  @Option(
      names = "--pmem",
      paramLabel = "SIZE",
      defaultValue = "0",
      description = "Size of the PMem tier (default: 0).")
  private Size pmem;

  @Option(
      names = "--ssd",
      paramLabel = "SIZE",
      defaultValue = "0",
      description = "Size of the SSD tier (default: 0).")
  private Size ssd;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      defaultValue = "64k",
      description =
          "Size of a block where the trace does not record it (default: ${DEFAULT-VALUE}).")
  private Size block;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description =
          "Only the blocks of this table, such as orders or ns:orders; needs a trace that was"
              + " recorded with --with-tables.")
  private String table;

  public Path file() {
    return traceFile;
  }

  /** The only table whose blocks count, with its namespace, as recordings have it; null for all. */
  public String table() {
    return table == null ? null : NestedShares.withNamespace(table);
  }

  /** The name of the trace's file. */
  public String name() {
    return traceFile.getFileName().toString();
  }

  /** Prints what the trace holds. */
  public void describe(Trace trace, PrintWriter out) {
    out.printf(
        "%s: %,d accesses to %,d blocks, %s%n",
        name(), trace.length(), trace.distinctBlocks(), ByteSize.readable(trace.distinctBytes()));
    if (!trace.origin().isEmpty()) {
      out.println(trace.origin());
    }
  }

  /**
   * The sizes of the tiers, scaled down in proportion for a sample of the blocks.
   *
   * @param needsDram whether there must be a DRAM tier even if there are others
   * @throws ParameterException if a tier is smaller than a block, or there is no tier
   */
  public TierSizes sizes(Trace trace, boolean needsDram) {
    long pmemBytes = bytes(trace, "--pmem", pmem, pmem.isWanted());
    long ssdBytes = bytes(trace, "--ssd", ssd, ssd.isWanted());
    boolean isNeeded = needsDram || pmemBytes + ssdBytes == 0;
    return new TierSizes(
        bytes(trace, "--dram", dram, isNeeded || dram.isWanted()), pmemBytes, ssdBytes);
  }

  private long bytes(Trace trace, String option, Size size, boolean isWanted) {
    long bytes = size.bytesOf(trace);
    if (bytes == 0 && isWanted) {
      throw wrong(option + "=" + size + " is less than one block of this trace: make it larger");
    }
    return bytes;
  }

  /** The size of blocks in traces that do not record it. */
  public int blockBytes() {
    if (block.bytes() < 1 || block.bytes() > 1 << 30) {
      throw wrong("--block=" + block.bytes() + " is not from 1 byte to 1g");
    }
    return (int) block.bytes();
  }

  private ParameterException wrong(String complaint) {
    return new ParameterException(spec.commandLine(), complaint);
  }

  /** The size of a tier: bytes, or a share from 0 to 1 of all the blocks of a trace. */
  public record Size(String text, long bytes, double share) {

    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");

    /** Reads a size, such as {@code 64m} or {@code 2.5%}. */
    public static Size parse(String text) {
      Matcher matcher = SHARE.matcher(text.strip());
      double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : -1;
      if (percent >= 0 && percent <= 100) {
        return new Size(text, 0, percent / 100);
      }
      long bytes = ByteSize.parse(text.strip());
      if (bytes >= 0) {
        return new Size(text, bytes, 0);
      }
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a size; write bytes such as 64m, or a share of the trace's blocks from"
              + " 0% to 100%");
    }

    public boolean isWanted() {
      return bytes > 0 || share > 0;
    }

    /**
     * The bytes of this size for a trace, rounded down to a multiple of its unit. For a sample of
     * the blocks, sizes in bytes are scaled down in proportion.
     */
    public long bytesOf(Trace trace) {
      long wanted =
          share == 0 ? bytes / trace.oneIn() : (long) (share * trace.distinctBytes() + 1e-6);
      return wanted / trace.unitBytes() * trace.unitBytes();
    }

    @Override
    public String toString() {
      return share == 0
          ? ByteSize.readable(bytes)
          : String.format(Locale.ROOT, "%s of the blocks", text);
    }
  }
}
