// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package acme;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;

/**
 * Equal to the first row of each group, as {@link FirstOfGroup}. It keeps the bytes of the last row
 * that it was equal to, where they lie.
 */
public class NewGroup extends ByteArrayComparable {

  private static final int SUFFIX = 2;

  private ByteBuffer last;

  public NewGroup() {
    super(new byte[0]);
  }

  public static NewGroup parseFrom(byte[] bytes) {
    return new NewGroup();
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }

  @Override
  public int compareTo(byte[] row, int offset, int length) {
    return compareTo(ByteBuffer.wrap(row, offset, length).slice());
  }

  @Override
  public int compareTo(ByteBuffer row, int offset, int length) {
    return compareTo(row.duplicate().limit(offset + length).position(offset).slice());
  }

  private int compareTo(ByteBuffer row) {
    if (last != null && !row.equals(last) && isOfLastGroup(row)) {
      return 1;
    }
    last = row;
    return 0;
  }

  private boolean isOfLastGroup(ByteBuffer row) {
    int group = row.limit() - SUFFIX;
    return row.limit() == last.limit() && row.slice(0, group).equals(last.slice(0, group));
  }
}
