// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package acme;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * Passes the first row of each group. Rows of a group differ in their last two bytes alone. The
 * filter knows the group by the last cell that it passed, which it keeps.
 */
public class FirstOfGroup extends FilterBase {

  private static final int SUFFIX = 2;

  private Cell last;

  public static FirstOfGroup parseFrom(byte[] bytes) {
    return new FirstOfGroup();
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    if (last != null && !CellUtil.matchingRows(last, cell) && isOfLastGroup(cell)) {
      return ReturnCode.NEXT_ROW;
    }
    last = cell;
    return ReturnCode.INCLUDE;
  }

  private boolean isOfLastGroup(Cell cell) {
    byte[] row = CellUtil.cloneRow(cell);
    byte[] lastRow = CellUtil.cloneRow(last);
    int group = row.length - SUFFIX;
    return row.length == lastRow.length && Arrays.equals(row, 0, group, lastRow, 0, group);
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }
}
