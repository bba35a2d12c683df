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
package dev.terrace.bench.fire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The nodes of chains: their keys, and the one value that each must have. Stateless but its seed.
 */
final class ChainNodes {

  /** Nodes of a chain. */
  static final int LENGTH = 500;

  static final byte[] FAMILY = Bytes.toBytes("f");

  private static final byte[] COLUMN = Bytes.toBytes("n");
  private static final int FILL_BYTES = 180;
  private static final int VALUE_BYTES = Long.BYTES + 2 * Integer.BYTES + FILL_BYTES;

  private final long seed;

  ChainNodes(long seed) {
    this.seed = seed;
  }

  /** Where a node says that it belongs. */
  record Place(int chain, int node) {}

  /** Returns the key of a node. No two nodes have the same: each step can be undone. */
  byte[] key(int chain, int node) {
    long z = seed + ((long) chain << 32 | node) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return Bytes.toBytes(z ^ (z >>> 31));
  }

  Put put(int chain, int node) {
    // Always the same cell, also in a file, which must tell a time.
    return new Put(key(chain, node), 1L).addColumn(FAMILY, COLUMN, value(chain, node));
  }

  /** The key of the node before, the node's place, and bytes that follow from its key. */
  private byte[] value(int chain, int node) {
    byte[] key = key(chain, node);
    byte[] fill = new byte[FILL_BYTES];
    new SplittableRandom(Bytes.toLong(key)).nextBytes(fill);
    return ByteBuffer.allocate(VALUE_BYTES)
        .put(key(chain, Math.floorMod(node - 1, LENGTH)))
        .putInt(chain)
        .putInt(node)
        .put(fill)
        .array();
  }

  /** Returns what is wrong with a row that should be this node, or nothing. */
  Optional<String> fault(Result row, int chain, int node) {
    String expected = "node " + node + " of chain " + chain;
    byte[] key = key(chain, node);
    if (row.isEmpty()) {
      return Optional.of(expected + " is lost: no row " + Bytes.toStringBinary(key));
    }
    if (!Arrays.equals(row.getRow(), key)) {
      return Optional.of(expected + " is foreign: row " + Bytes.toStringBinary(row.getRow()));
    }
    byte[] value = row.getValue(FAMILY, COLUMN);
    int at = value == null ? 0 : Arrays.mismatch(value, value(chain, node));
    return at < 0 ? Optional.empty() : Optional.of(expected + " has a wrong byte at " + at);
  }

  /** Returns the key of the node before a right one. */
  static byte[] previous(Result node) {
    return Bytes.copy(node.getValue(FAMILY, COLUMN), 0, Long.BYTES);
  }

  /** Returns the place that a row tells; of a row without one, a place that no node has. */
  static Place place(Result row) {
    byte[] value = row.getValue(FAMILY, COLUMN);
    if (value == null || value.length != VALUE_BYTES) {
      return new Place(-1, -1);
    }
    return new Place(
        Bytes.toInt(value, Long.BYTES), Bytes.toInt(value, Long.BYTES + Integer.BYTES));
  }
}
