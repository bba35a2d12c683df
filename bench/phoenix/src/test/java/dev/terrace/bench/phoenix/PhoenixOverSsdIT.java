// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

/** Phoenix over an SSD tier. */
class PhoenixOverSsdIT extends PhoenixContract {

  PhoenixOverSsdIT() {
    super("ssd");
  }
}
