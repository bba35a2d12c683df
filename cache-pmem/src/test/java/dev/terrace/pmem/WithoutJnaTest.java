// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import dev.terrace.api.Patience;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** JNA's own library cannot be loaded, and the refusal of a path says why. */
class WithoutJnaTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 20);

  @TempDir Path temporary;

  private static MappedDevice open(Path path) throws IOException {
    return MappedDevice.open(Specs.of(path, DeviceKind.PMEM, GEOMETRY), Clock.systemUTC());
  }

  @Test
  void thereIsNoLibraryForThePlatform() throws IOException {
    assertIsRefused(
        List.of("-Djna.nounpack=true", "-Djna.nosys=true"),
        "JNA's native library cannot be loaded",
        "Could not find JNA native support",
        "glibc",
        "-Djna.tmpdir");
  }

  @Test
  void theSystemHasALibraryOfAnotherVersion() throws IOException {
    Path foreign = Files.createDirectory(temporary.resolve("foreign"));
    foreignLibrary(foreign.resolve(System.mapLibraryName("jnidispatch")));
    assertIsRefused(
        List.of("-Djna.boot.library.path=" + foreign),
        "another version of JNA",
        "class path",
        "-Djna.nosys=true");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_24)
  void javaDeniesNativeAccess() throws IOException {
    assertIsRefused(
        List.of("--illegal-native-access=deny"),
        "denies native access",
        "--enable-native-access=ALL-UNNAMED");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_24)
  void nativeAccessIsEnabledForTheClassPath() throws IOException {
    Path path = temporary.resolve("cache");
    String said = run(path, "--illegal-native-access=deny", "--enable-native-access=ALL-UNNAMED");
    assertThat(said).contains("path=" + path).doesNotContain("WARNING", "cannot be locked");
  }

  /** JNA's own library, which says that it is of another version. */
  private static void foreignLibrary(Path file) throws IOException {
    String name =
        "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + System.mapLibraryName("jnidispatch");
    byte[] library;
    try (InputStream own = Native.class.getResourceAsStream(name)) {
      library = own.readAllBytes();
    }
    String bytes = new String(library, StandardCharsets.ISO_8859_1);
    String other = bytes.replaceAll("\0\\d\\.\\d\\.\\d\0", "\0001.0.0\0");
    assertThat(other).isNotEqualTo(bytes).hasSameSizeAs(bytes);
    Files.write(file, other.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void assertIsRefused(List<String> flags, String... words) throws IOException {
    Path path = temporary.resolve("cache");
    assertThat(run(path, flags.toArray(String[]::new)))
        .contains("path=" + path)
        .contains(words)
        .doesNotContain("\tat ");
    try (Device device = open(path)) {
      assertThat(device.generation()).isEqualTo(1);
    }
  }

  /** Opens a path in a process with these flags. Returns what the process prints. */
  private static String run(Path path, String... flags) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.add("-Xmx64m");
    command.addAll(List.of(flags));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            WithoutJnaTest.class.getName(),
            path.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    try (MappedDevice device = open(Path.of(args[0]))) {
      System.out.println(device.description());
    } catch (UnusablePathException e) {
      System.out.println(e.getMessage());
    }
  }
}
