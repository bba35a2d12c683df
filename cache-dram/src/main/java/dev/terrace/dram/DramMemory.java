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
package dev.terrace.dram;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Where a DRAM tier gets its memory, and by which threads.
 *
 * @param source of direct memory
 * @param freeBytes how much the source has left. What is more than that is obtained by the caller,
 *     so that a lack is an error of the caller; the rest is obtained in the background.
 * @param background runs tasks that obtain memory; it may run them one after the other
 * @param tasks how many of them
 */
public record DramMemory(
    ByteBufAllocator source, LongSupplier freeBytes, Executor background, int tasks) {

  /** Memory of the JVM, all but the first chunk in the background. */
  public static DramMemory inBackground(LongSupplier freeBytes, Executor background, int tasks) {
    return new DramMemory(new UnpooledByteBufAllocator(true), freeBytes, background, tasks);
  }

  /** Memory that is there before the caller goes on. */
  static DramMemory atOnce(ByteBufAllocator source) {
    return new DramMemory(source, () -> 0, Runnable::run, 0);
  }
}
