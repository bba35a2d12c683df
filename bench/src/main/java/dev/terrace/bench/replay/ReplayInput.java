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
package dev.terrace.bench.replay;

import dev.terrace.bench.cli.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of commands that replay a trace: which one, and through tiers of which sizes. */
final class ReplayInput {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "the file to replay")
  private Path traceFile;

  @Option(
      names = "--dram",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "5%",
      description = "size of the DRAM tier (5%%)")
  private TraceSize dram;

  @Option(
      names = "--pmem",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "0",
      description = "size of the PMem tier (0)")
  private TraceSize pmem;

  @Option(
      names = "--ssd",
      paramLabel = "SIZE",
      converter = TraceSize.Converter.class,
      defaultValue = "0",
      description = "size of the SSD tier (0)")
  private TraceSize ssd;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "64k",
      description = "size of a block where the trace does not tell it (${DEFAULT-VALUE})")
  private ByteSize block;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "replay this table's blocks only, of a trace recorded with tables")
  private String table;

  /** Reads the trace. */
  Trace read() throws IOException {
    return new TraceReader(blockBytes(), table).read(traceFile);
  }

  /** The name of the trace's file. */
  String name() {
    return traceFile.getFileName().toString();
  }

  /** Prints what the trace holds. */
  void describe(Trace trace, PrintWriter out) {
    out.printf(
        "%s: %,d accesses to %,d blocks, %s%n",
        name(), trace.length(), trace.distinctBlocks(), new ByteSize(trace.distinctBytes()));
    if (!trace.origin().isEmpty()) {
      out.println(trace.origin());
    }
  }

  /**
   * The size of the DRAM tier; 0 if there is none.
   *
   * @param isNeeded whether there must be one
   */
  long dramBytes(Trace trace, boolean isNeeded) {
    return bytes(trace, "--dram", dram, isNeeded || dram.isWanted());
  }

  /** The size of the PMem tier; 0 if there is none. */
  long pmemBytes(Trace trace) {
    return bytes(trace, "--pmem", pmem, pmem.isWanted());
  }

  /** The size of the SSD tier; 0 if there is none. */
  long ssdBytes(Trace trace) {
    return bytes(trace, "--ssd", ssd, ssd.isWanted());
  }

  private long bytes(Trace trace, String option, TraceSize size, boolean isWanted) {
    long bytes = size.bytesOf(trace);
    if (bytes == 0 && isWanted) {
      throw wrong(
          option + " is " + size + ", which is less than one block of this trace; make it larger");
    }
    return bytes;
  }

  private int blockBytes() {
    if (block.bytes() < 1 || block.bytes() > 1 << 30) {
      throw wrong("--block is " + block.bytes() + ", must be from 1 byte to 1g");
    }
    return (int) block.bytes();
  }

  private ParameterException wrong(String complaint) {
    return new ParameterException(spec.commandLine(), complaint);
  }
}
