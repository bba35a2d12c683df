// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

/** A region tier on a device that is memory. */
class MappedRegionTierTest extends SimulatedTierContract {

  @Override
  protected boolean isMapped() {
    return true;
  }
}
