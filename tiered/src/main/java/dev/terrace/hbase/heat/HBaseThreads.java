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
package dev.terrace.hbase.heat;

/** Tells what the calling thread of HBase is for, by its name: the same from HBase 2.5 to 3.0. */
public final class HBaseThreads {

  private static final String COMPACTION = "Compactions-";
  private static final String PREFETCH = "hfile-prefetch-";
  private static final String CLOSE = "StoreFileCloser-";

  private static final String HANDLER = "handler=";

  private HBaseThreads() {}

  static boolean isCompacting() {
    return Thread.currentThread().getName().contains(COMPACTION);
  }

  static boolean isPrefetching() {
    return Thread.currentThread().getName().startsWith(PREFETCH);
  }

  /** Whether it closes the files of a region that the server closes. */
  public static boolean isClosingFiles() {
    return Thread.currentThread().getName().contains(CLOSE);
  }

  /** Whether it serves a client's request. */
  public static boolean isServing() {
    return Thread.currentThread().getName().contains(HANDLER);
  }
}
