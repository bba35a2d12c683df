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

/** A folder of a cache that is too damaged to be read, or of another version's format. */
public final class UnreadableCacheException extends CachePathException {

  private static final long serialVersionUID = 1L;

  private final boolean otherFormat;

  UnreadableCacheException(Path path, String trouble, boolean otherFormat) {
    super(path, "cannot be read", trouble);
    this.otherFormat = otherFormat;
  }

  /** Whether another version of Terrace can read it. */
  public boolean isOfOtherFormat() {
    return otherFormat;
  }
}
