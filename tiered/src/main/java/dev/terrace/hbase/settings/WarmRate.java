// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Setting.Kind;

/**
 * How regions that open are warmed.
 *
 * @param bytesPerSecond the rate limit of reads from HBase's store; 0 to warm nothing
 * @param trustsPeers whether servers take blocks from each other without Kerberos, too
 */
public record WarmRate(long bytesPerSecond, boolean trustsPeers) {

  private static final String PEERS = ",peers";

  /** A rate such as {@code 50m}, or {@code 50m,peers}. */
  static final Kind<WarmRate> KIND =
      new Kind<>() {
        private final Kind<Long> size = new Size(1 << 20, Long.MAX_VALUE);

        @Override
        public WarmRate read(String text, Faults faults) {
          String plain = text.replace(" ", "");
          boolean trustsPeers = plain.endsWith(PEERS);
          String bytes = trustsPeers ? plain.substring(0, plain.length() - PEERS.length()) : plain;
          return new WarmRate(size.read(bytes, faults), trustsPeers);
        }

        @Override
        public String write(WarmRate value) {
          return size.write(value.bytesPerSecond) + (value.trustsPeers ? PEERS : "");
        }
      };

  public boolean isOn() {
    return bytesPerSecond > 0;
  }
}
