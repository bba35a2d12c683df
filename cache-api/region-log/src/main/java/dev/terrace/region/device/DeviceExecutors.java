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
package dev.terrace.region.device;

import java.util.concurrent.Executor;

/** Makes the executors that a tier uses for its devices. */
@FunctionalInterface
public interface DeviceExecutors {

  /** Runs the log's own I/O of the device with this path. */
  Executor worker(String path);

  /**
   * Runs reads for callers while the device is slow. It needs threads of its own, so that callers
   * can leave.
   *
   * @param most most reads at a time
   */
  default Executor readers(String path, int most) {
    return Runnable::run;
  }

  /**
   * Runs looks at the path, one after the other. It needs a thread of its own, which waits as long
   * as the file system hangs.
   */
  default Executor looks(String path) {
    return Runnable::run;
  }
}
