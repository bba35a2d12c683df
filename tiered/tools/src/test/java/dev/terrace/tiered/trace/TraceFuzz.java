// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tools.trace.RecordedReads;
import dev.terrace.tools.trace.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Recorded traces. If the first byte of an input is odd, the trace behind it gets its checks. */
public final class TraceFuzz {

  private static final int SIZE_ELSE = 64 << 10;

  private TraceFuzz() {}

  /** Reads a trace: it is right as far as it goes, or refused with a reason. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) != 0) {
      mend(ByteBuffer.wrap(bytes));
    }
    List<RecordedTrace.Access> accesses = new ArrayList<>();
    try {
      RecordedTrace trace = RecordedTrace.read(new ByteArrayInputStream(bytes), accesses::add);
      require(trace);
      requireSound(accesses, bytes.length);
      replay(bytes);
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("(?s)(position|unknown trace version)=.*");
    }
  }

  private static void mend(ByteBuffer file) {
    if (file.limit() < TraceFormat.HEADER_BYTES) {
      return;
    }
    file.putInt(TraceFormat.CHECKED_HEADER_BYTES, TraceFormat.check(file));
    int at = TraceFormat.HEADER_BYTES;
    while (at + TraceFormat.CHUNK_HEADER_BYTES <= file.limit()) {
      int entriesAt = at + TraceFormat.CHUNK_HEADER_BYTES;
      int length = file.getInt(at);
      if (length <= 0 || length > file.limit() - entriesAt) {
        return;
      }
      file.putInt(
          at + 4, TraceFormat.check(at, file.getLong(at + 8), file.slice(entriesAt, length)));
      at = entriesAt + length;
    }
  }

  private static void require(RecordedTrace trace) {
    assertThat(trace.oneIn()).isPositive();
    assertThat(trace.start()).isNotNull();
    if (trace.isWhole()) {
      assertThat(trace.dropped()).isNotNegative();
    } else {
      assertThat(trace.reads()).isEqualTo(-1);
      assertThat(trace.dropped()).isEqualTo(-1);
    }
  }

  private static void requireSound(List<RecordedTrace.Access> accesses, int bytes) {
    assertThat((long) accesses.size() * TraceFormat.ACCESS_BYTES).isLessThanOrEqualTo(bytes);
    for (RecordedTrace.Access access : accesses) {
      assertThat(access.file()).isNotNegative();
      assertThat(access.sizeBytes()).isNotNegative();
      assertThat(access.type()).isBetween(0, 255);
    }
  }

  /** What {@code plan} and {@code replay} make of it. */
  private static void replay(byte[] bytes) throws IOException {
    Trace.Builder builder = new Trace.Builder();
    new RecordedReads(SIZE_ELSE, null).read(new ByteArrayInputStream(bytes), builder);
    if (!builder.isEmpty()) {
      Trace trace = builder.build();
      assertThat(trace.distinctBlocks()).isBetween(1, trace.length());
      assertThat(trace.distinctBytes()).isPositive();
      assertThat(trace.unitBytes()).isPositive();
    }
  }
}
