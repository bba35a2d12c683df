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
package dev.terrace.bench;

import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How words on the command line are read. */
public final class Converters {

  private Converters() {}

  /** A cache by its label. */
  public static final class Cache implements ITypeConverter<CacheKind> {
    @Override
    public CacheKind convert(String value) {
      try {
        return CacheKind.ofLabel(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** A distribution by its label. */
  public static final class Distribution implements ITypeConverter<KeyDistribution> {
    @Override
    public KeyDistribution convert(String value) {
      try {
        return KeyDistribution.ofLabel(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** A number of threads: {@code 4}, or {@code 2x} for twice the number of cores. */
  public static final class Threads implements ITypeConverter<Integer> {

    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,3})(x?)");

    @Override
    public Integer convert(String value) {
      Matcher matcher = FORM.matcher(value.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + value + "' must be a number of threads such as 4, or 2x for twice the cores");
      }
      int number = Integer.parseInt(matcher.group(1));
      return matcher.group(2).isEmpty()
          ? number
          : number * Runtime.getRuntime().availableProcessors();
    }
  }

  /** A size such as {@code 65536}, {@code 64k} or {@code 1g}. */
  public static final class Size implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String value) {
      try {
        return ByteSize.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
