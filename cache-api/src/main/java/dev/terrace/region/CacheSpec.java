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
package dev.terrace.region;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What a path is configured to be.
 *
 * @param path a directory, which may be absent if its parent is there
 * @param kind what the regions are meant for
 * @param geometry how many regions of what size
 */
public record CacheSpec(Path path, DeviceKind kind, DeviceGeometry geometry) {

  /** Checks that all is there. */
  public CacheSpec {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(geometry, "geometry");
  }
}
