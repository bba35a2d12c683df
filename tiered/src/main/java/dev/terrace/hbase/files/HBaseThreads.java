// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.Source;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Finds out what HBase's calling thread is doing: by its name, which is the same from HBase 2.5 to
 * 4.0, or by the call that it serves.
 */
public final class HBaseThreads {

  private static final String COMPACTION = "Compactions-";
  private static final String PREFETCH = "hfile-prefetch-";
  private static final String CLOSE = "StoreFileCloser-";
  private static final String HANDLER = "handler=";

  private HBaseThreads() {}

  public static boolean isCompacting() {
    return Thread.currentThread().getName().contains(COMPACTION);
  }

  /**
   * Why the thread offers a block. The context of a block that a flush or compaction wrote names
   * the table, unless it was written to a MOB file; that of a block read from a file does not. The
   * upper levels of an index are handed over as if they were read.
   *
   * @param waits whether HBase asks the cache to wait for room
   */
  public static Source sourceOf(BlockCacheKey key, Cacheable block, boolean waits) {
    boolean hasTable =
        block instanceof HFileBlock offered && offered.getHFileContext().getTableName() != null;
    boolean isIndex = hasTable && block.getBlockType().getCategory() == BlockCategory.INDEX;
    if (!waits && !isIndex) {
      return Source.READ;
    }
    if (isCompacting()) {
      return Source.COMPACTION;
    }
    boolean isWritten = hasTable || StoreFileNames.isMob(key.getHfileName());
    return isWritten && !isPrefetching() ? Source.FLUSH : Source.PREFETCH;
  }

  private static boolean isPrefetching() {
    return Thread.currentThread().getName().startsWith(PREFETCH);
  }

  /** Whether the thread closes the files of a region that the server closes. */
  public static boolean isClosingFiles() {
    return Thread.currentThread().getName().contains(CLOSE);
  }

  /** Whether the thread serves a client's request. */
  public static boolean isServing() {
    return Thread.currentThread().getName().contains(HANDLER);
  }

  /** The call's request; null if the thread serves none. */
  public static Message request() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call == null ? null : call.getParam();
  }

  /** The kind of reader in words, such as {@code get}. */
  public static String reader(boolean caches) {
    Message request = request();
    if (request == null) {
      return caches ? "inside the server" : "compaction";
    }
    String reader = "other call";
    if (request instanceof ScanRequest) {
      reader = "scan";
    } else if (request instanceof GetRequest || request instanceof MultiRequest) {
      reader = "get";
    } else if (request instanceof MutateRequest) {
      reader = "write";
    }
    return caches ? reader : reader + " without caching";
  }
}
