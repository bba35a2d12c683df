/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
