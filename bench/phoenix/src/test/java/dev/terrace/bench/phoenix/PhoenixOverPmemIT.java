// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

/** Phoenix over a PMem tier. */
class PhoenixOverPmemIT extends PhoenixContract {

  PhoenixOverPmemIT() {
    super("pmem");
  }
}
