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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.FilterBase;

/** Passes each cell, after a while: a call runs into its limit of time. */
public class SlowFilter extends FilterBase {

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  public static SlowFilter parseFrom(byte[] bytes) {
    return new SlowFilter();
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    long end = System.nanoTime() + NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return ReturnCode.INCLUDE;
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }
}
