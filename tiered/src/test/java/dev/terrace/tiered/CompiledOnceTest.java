// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods that C2 must not copy into each of their callers, because of all that they call. */
final class CompiledOnceTest {

  /** C2's limit, {@code FreqInlineSize}. */
  private static final int MAX_INLINED_BYTES = 325;

  private static final Pattern INSTRUCTION = Pattern.compile(" +(\\d+): \\w+.*");

  @ParameterizedTest
  @CsvSource({
    "dev.terrace.region.read.BlockLookup, public B get(dev.terrace.api.CacheFile",
    "dev.terrace.region.BlockWriter, private dev.terrace.api.PutOutcome tryPut(dev.terrace.api.CacheFile",
    "dev.terrace.tiered.Puts, boolean promote(int"
  })
  void isTooLongToBeCopied(String type, String method) throws Exception {
    assertThat(bytecodeBytes(Class.forName(type), method)).isGreaterThan(MAX_INLINED_BYTES);
  }

  /** The size of a method. Its last instruction, a return or a throw, is one byte. */
  private static int bytecodeBytes(Class<?> type, String method) throws URISyntaxException {
    int last = -1;
    boolean isInside = false;
    for (String line : disassembly(type)) {
      isInside = !line.isBlank() && (isInside || line.strip().startsWith(method));
      Matcher instruction = INSTRUCTION.matcher(line);
      if (isInside && instruction.matches()) {
        last = Integer.parseInt(instruction.group(1));
      }
    }
    assertThat(last).as("the end of %s in %s", method, type).isPositive();
    return last + 1;
  }

  private static List<String> disassembly(Class<?> type) throws URISyntaxException {
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output);
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
    int exitValue =
        javap.run(writer, writer, "-p", "-c", "-cp", classes.toString(), type.getName());
    assertThat(exitValue).as("%s", output).isZero();
    return output.toString().lines().toList();
  }
}
