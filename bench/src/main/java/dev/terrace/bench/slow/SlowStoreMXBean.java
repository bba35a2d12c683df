// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

/** What a server has read from its slow store, in its JMX. */
public interface SlowStoreMXBean {

  /** Query of the bean. */
  String QUERY = "dev.terrace.bench:type=SlowStore";

  /** Returns the bytes that were read since the server's start. */
  long getReadBytes();

  /** Returns the reads for which threads that answer clients have waited since then. */
  long getReadsOfClients();
}
