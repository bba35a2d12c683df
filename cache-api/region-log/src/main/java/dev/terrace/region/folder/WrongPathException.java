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

import java.nio.file.Path;

/**
 * A cache path that is not at fault itself: it is absent or no directory, in use, or against a
 * limit or a key of this process. So a start does not go on without it.
 */
public final class WrongPathException extends CachePathException {

  private static final long serialVersionUID = 1L;

  WrongPathException(Path path, String problem, String remedy) {
    super(path, problem, remedy);
  }

  WrongPathException(Path path, String problem, String remedy, Throwable cause) {
    super(path, problem, remedy, cause);
  }
}
