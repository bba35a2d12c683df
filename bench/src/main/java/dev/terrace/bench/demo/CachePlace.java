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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * A directory where a tier lies, with a share of the tier.
 *
 * @param directory where a folder for the cache is made
 * @param size how much of the tier lies there
 */
record CachePlace(Path directory, ByteSize size) {

  /** Reads one from the command line, such as {@code /mnt/nvme0:512m}. */
  static final class Converter implements CommandLine.ITypeConverter<CachePlace> {

    @Override
    public CachePlace convert(String text) {
      int colon = text.lastIndexOf(':');
      if (colon <= 0) {
        throw new CommandLine.TypeConversionException(
            "'" + text + "' is not DIR:SIZE; write such as /mnt/nvme0:512m");
      }
      ByteSize size = new Converters.Size().convert(text.substring(colon + 1));
      try {
        Path directory = Path.of(text.substring(0, colon));
        return new CachePlace(directory.toAbsolutePath().normalize(), size);
      } catch (InvalidPathException e) {
        throw new CommandLine.TypeConversionException("'" + text + "' does not name a directory");
      }
    }
  }
}
