// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Names a build by the contents of its jar: two builds may have one version. */
public final class Build {

  private static final int BYTES = 6;

  private Build() {}

  /**
   * The first twelve digits of the SHA-256 of the jar that a class came from, as {@code sha256sum}
   * prints them, after {@code " build "}; empty without a jar. Reads the jar.
   */
  public static String suffix(Class<?> of) {
    try {
      Path jar = Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (!Files.isRegularFile(jar)) {
        return "";
      }
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      return " build " + HexFormat.of().formatHex(sum, 0, BYTES);
    } catch (IOException | URISyntaxException | GeneralSecurityException | RuntimeException e) {
      // A class loader may have no files. The name is only for people.
      return "";
    }
  }
}
