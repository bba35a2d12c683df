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
package dev.terrace.hbase.settings;

import dev.terrace.region.folder.PathSplit;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Reads values out of a configuration, and collects what is wrong with them. */
final class SettingsReader {

  private static final String WHY = "Terrace does not guess what a wrong setting means.";

  private final SiteValues site;
  private final List<Finding> problems = new ArrayList<>();

  SettingsReader(SiteValues site) {
    this.site = site;
  }

  /** Where the values are from. */
  SiteValues site() {
    return site;
  }

  /** The trimmed value; the default if it is absent or empty. */
  String text(Setting setting) {
    return site.get(setting.key(), setting.defaultValue());
  }

  /** A size in bytes; 0 if the value is invalid. */
  long sizeBytes(Setting setting) {
    String text = text(setting);
    try {
      long bytes = ByteSize.parse(text);
      if (bytes >= 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the key.
    }
    problem(setting, "is not a size", "write bytes, or a number with k, m, g or t, such as 8g");
    return 0;
  }

  /** A share from 0 to 1; 0 if the value is invalid. */
  double share(Setting setting) {
    String text = text(setting);
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the key.
    }
    problem(setting, "is not a share", "write a number from 0 to 1, such as 0.5");
    return 0;
  }

  /** A whole number in a range; the smallest if the value is invalid. */
  int count(Setting setting, int least, int most) {
    try {
      int count = Integer.parseInt(text(setting));
      if (count >= least && count <= most) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the key.
    }
    problem(setting, "is out of range", "write a whole number from " + least + " to " + most);
    return least;
  }

  /** A flag; false if the value is invalid. */
  boolean flag(Setting setting) {
    String text = text(setting);
    if (!text.equals("true") && !text.equals("false")) {
      problem(setting, "is neither true nor false", "write one of them");
    }
    return text.equals("true");
  }

  /** One of some values, which is written as its text; the other one if the value is unknown. */
  <E> E choice(Setting setting, E[] values, E otherwise) {
    String text = text(setting);
    for (E each : values) {
      if (each.toString().equals(text)) {
        return each;
      }
    }
    String texts = Arrays.stream(values).map(E::toString).collect(Collectors.joining(", "));
    problem(setting, "is unknown", "write one of " + texts);
    return otherwise;
  }

  /** The paths and the size of a tier; {@link TierSpace#NONE} if there is none. */
  TierSpace space(Setting pathsSetting, Setting sizeSetting) {
    int problemsBefore = problems.size();
    long sizeBytes = sizeBytes(sizeSetting);
    List<Path> paths = paths(pathsSetting);
    if (problems.size() > problemsBefore) {
      return TierSpace.NONE;
    }
    if (paths.isEmpty() && sizeBytes > 0) {
      problem(
          sizeSetting,
          "has no place",
          "set " + pathsSetting.key() + " to directories, or the size to 0");
    } else if (!paths.isEmpty() && !isWritten(sizeSetting)) {
      problem(
          pathsSetting,
          "has no size",
          "set " + sizeSetting.key() + ", such as to 100g, 0 for none");
    } else if (sizeBytes > 0) {
      checkSplit(paths, sizeBytes, sizeSetting);
    }
    boolean isTier = sizeBytes > 0 && problems.size() == problemsBefore;
    return isTier ? new TierSpace(paths, sizeBytes) : TierSpace.NONE;
  }

  private void checkSplit(List<Path> paths, long sizeBytes, Setting sizeSetting) {
    long leastBytes = paths.size() * PathSplit.MIN_PATH_BYTES;
    long mostBytes = (long) PathSplit.MAX_REGIONS * PathSplit.DEFAULT_REGION_BYTES;
    if (sizeBytes < leastBytes) {
      problem(
          sizeSetting,
          "is too small for " + (paths.size() == 1 ? "one path" : paths.size() + " paths"),
          "the minimum is " + ByteSize.readable(leastBytes));
    } else if (sizeBytes > mostBytes) {
      problem(sizeSetting, "is too large", "the maximum is " + ByteSize.readable(mostBytes));
    }
  }

  /** A list of directories; empty if the value is invalid. */
  private List<Path> paths(Setting setting) {
    List<Path> paths = new ArrayList<>();
    if (!isWritten(setting)) {
      return paths;
    }
    for (String part : text(setting).split(",", -1)) {
      Path path = path(part.trim());
      if (path == null) {
        problem(
            setting,
            "has '" + part.trim() + "', which is not an absolute path",
            "write for example /mnt/nvme0,/mnt/nvme1");
        return List.of();
      }
      if (!isPlain(path)) {
        problem(
            setting,
            "has '" + path + "', which has a control character, or a blank at its end",
            "name another directory");
        return List.of();
      }
      if (paths.contains(path)) {
        problem(setting, "names " + path + " twice", "name each directory once");
        return List.of();
      }
      paths.add(path);
    }
    return paths;
  }

  private static Path path(String text) {
    try {
      Path path = Path.of(text);
      return path.isAbsolute() ? path.normalize() : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Whether a path is read again as it is written in a list. */
  private static boolean isPlain(Path path) {
    String text = path.toString();
    return text.chars().noneMatch(Character::isISOControl) && text.equals(text.trim());
  }

  private boolean isWritten(Setting setting) {
    return site.get(setting.key()).isPresent();
  }

  /** Adds an error about a setting's value. */
  void problem(Setting setting, String what, String remedy) {
    problem(setting, what, WHY, remedy);
  }

  /** The same, with a reason of its own. */
  void problem(Setting setting, String what, String why, String remedy) {
    problem(setting.key() + "=" + text(setting) + " " + what, why, remedy);
  }

  void problem(String what, String why, String remedy) {
    problems.add(Finding.error(what, why, remedy));
  }

  boolean isFaultless() {
    return problems.isEmpty();
  }

  /** All errors. */
  List<Finding> problems() {
    return List.copyOf(problems);
  }
}
