// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package acme;

import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/** Passes each cell, and needs one family to do so: scans may read the others on demand. */
public class FamilyFirst extends FilterBase {

  private final byte[] family;

  public FamilyFirst(byte[] family) {
    this.family = family.clone();
  }

  public static FamilyFirst parseFrom(byte[] bytes) {
    return new FamilyFirst(bytes);
  }

  @Override
  public boolean isFamilyEssential(byte[] name) {
    return Bytes.equals(name, family);
  }

  @Override
  public byte[] toByteArray() {
    return family.clone();
  }
}
