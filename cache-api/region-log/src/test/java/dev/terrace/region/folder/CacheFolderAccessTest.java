// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import dev.terrace.api.Patience;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may open a folder, and in what state the path must be for that. */
class CacheFolderAccessTest {

  private static final DeviceGeometry GEOMETRY =
      new DeviceGeometry(DeviceGeometry.MIN_REGION_BYTES, 4);
  private static final int NOBODY = 65534;

  @TempDir Path temporary;

  private static CacheFolder open(Path path) throws IOException {
    CacheSpec spec =
        new CacheSpec(path, DeviceKind.SSD, GEOMETRY, "", Optional.of(new TestMasterKey(1, true)));
    return CacheFolder.open(spec, RegionsSpace.SPARSE, Clock.systemUTC());
  }

  private static void assertRefused(Path path, String... words) {
    assertThatThrownBy(() -> open(path).close())
        .isInstanceOf(UnusablePathException.class)
        .hasMessageStartingWith("path=" + path)
        .hasMessageContainingAll(words);
  }

  private static void allow(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private Path made() throws IOException {
    Path path = temporary.resolve("cache");
    open(path).close();
    return path;
  }

  @Test
  void aFileIsNoPath() throws IOException {
    assertRefused(
        Files.createFile(temporary.resolve("file")), "is not a directory", "name a directory");
  }

  @Test
  void aPathBelowNothingIsNotMade() throws IOException {
    assertRefused(temporary.resolve("unmounted/cache"), "does not exist", "mount the disk");
    assertThat(temporary.resolve("unmounted")).doesNotExist();
  }

  @Test
  void aPathMayBeALinkToADirectory() throws IOException {
    Path target = Files.createDirectory(temporary.resolve("target"));
    allow(target, "rwxr-xr-x");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), target);
    try (CacheFolder folder = open(link)) {
      assertThat(folder.superblock().generation()).isEqualTo(1);
      assertThat(target.resolve("terrace/regions")).exists();
    }
    allow(target, "rwxrwxr-x");
    open(link).close();
    assertRights(target, "rwxr-xr-x");
  }

  @Test
  void aPathIsNoLinkToNothing() throws IOException {
    assertRefused(
        Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("nothing")),
        "is a dangling link");
  }

  @Test
  void whoOwnsThePathTakesTheRightToWriteFromOthers() throws IOException {
    Path path = Files.createDirectory(temporary.resolve("cache"));
    Map<String, String> rights =
        Map.of(
            "rwxrwx---", "rwxr-x---",
            "rwx----w-", "rwx------",
            "rwxrwxrwx", "rwxr-xr-x");
    for (Map.Entry<String, String> each : rights.entrySet()) {
      allow(path, each.getKey());
      open(path).close();
      assertRights(path, each.getValue());
    }
  }

  @Test
  void aPathOfRootThatOthersMayWriteToIsRefused() throws Exception {
    assumeTrue(OwnedPaths.uid() == 0, "only root can be somebody else");
    allow(temporary, "rwxr-xr-x");
    Path path = Files.createDirectory(temporary.resolve("cache"));
    Files.setAttribute(path, "unix:uid", NOBODY);
    allow(path, "rwxrwxrwx");

    assertRefused(path, "belongs to the user");
    assertRights(path, "rwxrwxrwx");
  }

  private static void assertRights(Path path, String rights) throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo(rights);
  }

  @Test
  void othersMayNotWriteToTheFolderOrItsFiles() throws IOException {
    Path path = made();
    Path terrace = path.resolve("terrace");
    // As kubelet does at each mount of a volume with an fsGroup.
    for (String name : new String[] {"", "lock", "superblock", "regions", "key"}) {
      allow(terrace.resolve(name), name.isEmpty() ? "rwxrwx---" : "rw-rw----");
    }
    open(path).close();

    assertRights(terrace, "rwx------");
    for (String name : new String[] {"lock", "superblock", "regions", "key"}) {
      assertRights(terrace.resolve(name), "rw-------");
    }
  }

  @Test
  void theRightToReadIsTakenAway() throws IOException {
    Path path = made();
    allow(path.resolve("terrace"), "rwxr-xr-x");
    allow(path.resolve("terrace/regions"), "rw-r--r--");
    allow(path.resolve("terrace/key"), "rw-r--r--");
    open(path).close();
    assertThat(Files.getPosixFilePermissions(path.resolve("terrace/key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(path.resolve("terrace")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getPosixFilePermissions(path.resolve("terrace/regions")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path path = made();
    Path outside = Files.createFile(temporary.resolve("outside"));
    Files.writeString(outside, "precious");
    for (String name : new String[] {"lock", "superblock", "regions", "key"}) {
      Path file = path.resolve("terrace").resolve(name);
      Path aside = path.resolve("aside");
      Files.move(file, aside);
      Files.createSymbolicLink(file, outside);
      assertThatThrownBy(() -> open(path).close())
          .isInstanceOf(UnusablePathException.class)
          .hasMessageStartingWith("path=" + file)
          .hasMessageContaining("is not a regular file");
      Files.delete(file);
      Files.move(aside, file);
    }
    assertThat(outside).hasContent("precious");
    Path second = Files.createDirectory(temporary.resolve("second"));
    Files.createSymbolicLink(second.resolve("terrace"), path.resolve("terrace"));
    assertThatThrownBy(() -> open(second).close())
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("is a link");
  }

  @Test
  void theFolderIsNoFile() throws IOException {
    Path path = Files.createDirectory(temporary.resolve("cache"));
    allow(path, "rwx------");
    Files.createFile(path.resolve("terrace"));
    assertRefused(path, "terrace is not a directory");
  }

  @Test
  void nobodyElseOwnsIt() throws IOException {
    assumeTrue(OwnedPaths.uid() == 0, "only root can give files away");
    Path path = made();
    for (String name :
        new String[] {"terrace/lock", "terrace/regions", "terrace/key", "terrace", ""}) {
      Path file = path.resolve(name);
      Files.setAttribute(file, "unix:uid", NOBODY);
      assertThatThrownBy(() -> open(path).close())
          .isInstanceOf(UnusablePathException.class)
          .hasMessageStartingWith("path=" + file)
          .hasMessageContaining("(uid " + NOBODY + ")");
      Files.setAttribute(file, "unix:uid", 0);
    }
    open(path).close();
  }

  /** Doctor may run as root, the server should not. */
  @Test
  void rootIsNotToldToTakeThePath() throws IOException {
    assumeTrue(OwnedPaths.uid() == 0, "only root can be somebody else");
    Path path = made();
    for (String name : List.of("", "terrace", "terrace/superblock")) {
      Path file = path.resolve(name);
      Files.setAttribute(file, "unix:uid", NOBODY);
      assertThatThrownBy(() -> CacheFolder.check(path))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("run this process as that user")
          .hasMessageNotContainingAny("make", "remove");
      Files.setAttribute(file, "unix:uid", 0);
    }
  }

  @Test
  void aDirectoryOfAnotherUserIsNotTheDisksFault() throws Exception {
    assumeTrue(OwnedPaths.uid() == 0, "only root can be somebody else");
    allow(temporary, "rwxr-xr-x");
    Path path = made();
    allow(path, "rwx------");
    // Loads the classes that the other user may not be able to read.
    assertRefused(Files.createFile(temporary.resolve("file")), "is not a directory");
    assertThat(thrownToNobody(() -> CacheFolder.check(path)))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContainingAll("may not enter " + path, "chown", "chmod")
        .hasMessageNotContaining("disk");
    CacheFolder.check(path);
  }

  /** SELinux denies what its owner may do by the file's mode. */
  @Test
  void aFileThatMayNotBeReadIsNotTheDisksFault() throws Exception {
    assumeTrue(OwnedPaths.uid() == 0, "only root can be somebody else");
    allow(temporary, "rwxr-xr-x");
    Path file = Files.createFile(temporary.resolve("superblock"));
    allow(file, "rw-------");
    OwnedPaths.read(file, 1);
    assertThat(thrownToNobody(() -> OwnedPaths.read(file, 1)))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContainingAll("path=" + file, "chown", "SELinux", "is kept")
        .hasMessageNotContaining("disk");
  }

  private static Throwable thrownToNobody(ThrowingCallable action) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Function setUser = Function.getFunction("c", "setfsuid");
    // On Linux this is the user of one thread.
    Thread other =
        new Thread(
            () -> {
              setUser.invokeInt(new Object[] {NOBODY});
              thrown.complete(catchThrowable(action));
            });
    other.start();
    return thrown.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void nobodyElseReadsTheKey() throws Exception {
    assumeTrue(OwnedPaths.uid() == 0, "only root can be somebody else");
    allow(temporary, "rwxr-xr-x");
    Path path = made();
    allow(path, "rwxr-xr-x");
    Path readable = Files.writeString(path.resolve("readable"), "for all");
    allow(readable, "rw-r--r--");
    assertThat(isReadByNobody(readable)).isTrue();
    Path key = path.resolve("terrace/key");
    assertThat(isReadByNobody(key)).as("below a folder of mode 0700").isFalse();
    allow(key.getParent(), "rwxr-xr-x");
    assertThat(isReadByNobody(key)).as("a file of mode 0600").isFalse();
    assertThat(key).isReadable();
  }

  private static boolean isReadByNobody(Path file) throws Exception {
    Process process =
        new ProcessBuilder("setpriv", "--reuid=" + NOBODY, "--clear-groups", "cat", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor() == 0;
  }

  @Test
  void aPathThatCannotBeWrittenIsRefused() throws IOException {
    assumeTrue(OwnedPaths.uid() != 0, "root can write everywhere");
    Path path = Files.createDirectory(temporary.resolve("cache"));
    allow(path, "r-x------");
    assertRefused(path, "cannot be created", "must be writable by uid " + OwnedPaths.uid());
    allow(path, "rwx------");
    open(path).close();
  }

  @Test
  void aReadOnlyFileSystemIsRefused() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 4 << 20)) {
      Path path = disk.directory();
      open(path).close();
      disk.setReadOnly(true);
      assertRefused(path, "terrace is on a read-only file system");
      try (ReadOnlyDevice look = ReadOnlyDevice.open(path)) {
        assertThat(look.generation()).isEqualTo(1);
      }
      disk.setReadOnly(false);
      open(path).close();
    }
  }

  @Test
  void aFullDiskDoesNotKeepItClosed() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 4 << 20)) {
      Path path = disk.directory();
      open(path).close();
      fill(path.resolve("ballast"));
      for (int generation = 2; generation < 4; generation++) {
        try (CacheFolder folder = open(path)) {
          assertThat(folder.superblock().generation()).isEqualTo(generation);
        }
      }
      Files.delete(path.resolve("terrace/superblock"));
      Files.delete(path.resolve("terrace/regions"));
      fill(path.resolve("more"));
      assertThatThrownBy(() -> open(path))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("superblock cannot be written")
          .hasMessageContaining("delete other files");
      Files.delete(path.resolve("ballast"));
      open(path).close();
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] bytes = new byte[4096];
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Test
  void anotherProcessCannotOpenIt() throws Exception {
    Path path = temporary.resolve("cache");
    try (CacheFolder folder = open(path)) {
      assertThat(folder.superblock().generation()).isEqualTo(1);
      // The second one in this process must not make it lose the lock.
      assertRefused(path, "in use by this process");
      assertThatThrownBy(() -> ReadOnlyDevice.open(path)).hasMessageContaining("in use");
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.hasIt()).isFalse();
        assertThat(other.said())
            .contains(path.toString())
            .contains("in use by another process (pid=" + ProcessHandle.current().pid() + ")")
            .contains("give each server its own path");
      }
    }
    try (OtherProcess other = OtherProcess.open(path)) {
      assertThat(other.said()).isEqualTo("opened");
    }
  }

  @Test
  void anotherProcessThatHasItIsNamed() throws Exception {
    Path path = temporary.resolve("cache");
    try (OtherProcess other = OtherProcess.open(path)) {
      assertThat(other.said()).isEqualTo("opened");
      assertRefused(path, "in use by another process (pid=" + other.pid() + ")");
      assertThatThrownBy(() -> ReadOnlyDevice.open(path))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("in use by another process (pid=" + other.pid() + ")");
      other.kill();
    }
    try (CacheFolder folder = open(path)) {
      assertThat(folder.superblock().generation()).as("after the other was killed").isEqualTo(2);
    }
  }

  @Test
  void withoutJnaItIsRefused() throws Exception {
    Path path = made();
    try (OtherProcess other = OtherProcess.open(path, false)) {
      assertThat(other.said())
          .contains(path.toString(), "cannot be locked", "JNA's native library cannot be loaded")
          .contains("-Djna.tmpdir");
    }
    open(path).close();
  }

  /** Whoever has its files open keeps others out. */
  @Test
  void nobodyElseOpensItWithoutTheLockFile() throws Exception {
    Path path = made();
    try (CacheFolder folder = open(path)) {
      Files.delete(path.resolve("terrace/lock"));
      String why = "is in use by another server, which has " + path.resolve("terrace");
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).contains(why);
      }
      assertThatThrownBy(() -> open(path).close())
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("is in use by");
      CacheFolder.check(path);
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).as("after this process tried").contains(why);
      }
      assertThat(folder.whyLost()).isPresent();
    }
    try (OtherProcess other = OtherProcess.open(path)) {
      assertThat(other.said()).isEqualTo("opened");
    }
  }

  @Test
  void codeOfThisProcessThatReadsAllFilesLosesNoLock() throws Exception {
    Path path = made();
    try (CacheFolder folder = open(path)) {
      for (String name : new String[] {"lock", "superblock", "regions"}) {
        assertThat(Files.readAllBytes(path.resolve("terrace").resolve(name))).isNotEmpty();
      }
      Files.writeString(path.resolve("terrace/lock"), "");
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).contains("in use by a process that");
      }
      Files.delete(path.resolve("terrace/lock"));
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).contains("in use by another server");
      }
      assertThat(folder.superblock().generation()).isEqualTo(2);
    }
  }

  /** Locks of POSIX, which a process has, end when it closes any descriptor of the file. */
  @Test
  void codeOfThisProcessThatReadsTheLockFileLetsNobodyIn() throws Exception {
    Path path = temporary.resolve("cache");
    Path lock = path.resolve("terrace/lock");
    try (CacheFolder folder = open(path)) {
      assertThat(folder.superblock().generation()).isEqualTo(1);
      assertThat(Files.readString(lock)).startsWith("pid=" + ProcessHandle.current().pid() + " ");
      for (int round = 0; round < 2; round++) {
        try (OtherProcess other = OtherProcess.open(path)) {
          assertThat(other.said())
              .contains("in use by another process (pid=" + ProcessHandle.current().pid() + ")");
        }
      }
      Path copy = Files.createDirectories(temporary.resolve("copy/terrace")).getParent();
      for (String name : new String[] {"lock", "superblock", "regions", "key"}) {
        Files.copy(path.resolve("terrace").resolve(name), copy.resolve("terrace").resolve(name));
      }
      try (OtherProcess other = OtherProcess.open(copy)) {
        assertThat(other.said()).as("a copy is not in use").isEqualTo("opened");
      }
    }
    try (OtherProcess other = OtherProcess.open(path)) {
      assertThat(other.said()).as("after it was closed").isEqualTo("opened");
    }
  }

  @Test
  void aNoteOfAProcessThatEndedKeepsNobodyOut() throws Exception {
    Path path = made();
    Path lock = path.resolve("terrace/lock");
    String here = "pid=" + ProcessHandle.current().pid() + " started=1 file=(dev=1,ino=2)";
    for (String note : new String[] {here, "pid=12", "", "noise\n\n"}) {
      Files.writeString(lock, note);
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).as(note).isEqualTo("opened");
        assertThat(ReadOnlyDevice.holder(path)).hasValue(other.pid());
      }
      assertThat(ReadOnlyDevice.holder(path)).isEmpty();
      Files.writeString(lock, note);
      assertThat(ReadOnlyDevice.holder(path)).as("nobody has a lock").isEmpty();
    }
    Files.writeString(lock, here);
    open(path).close();
  }
}
