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
package dev.terrace.region.folder;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The owner of the files that this process creates. */
final class ProcessUser {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String UIDS = "Uid:";

  private ProcessUser() {}

  /**
   * The effective user's number, from Linux itself. Some releases of JDK 17 return 0 for users
   * without a name, as containers have them.
   */
  static long uid() throws IOException {
    if (Files.isReadable(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(UIDS)) {
          // The real, the effective, the saved and the file system's.
          return Long.parseLong(line.substring(UIDS.length()).strip().split("\\s+", -1)[1]);
        }
      }
    }
    return new UnixSystem().getUid();
  }
}
