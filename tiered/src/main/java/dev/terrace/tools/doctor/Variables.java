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
package dev.terrace.tools.doctor;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces {@code ${name}} in values of properties as Hadoop does: by a system property, by the
 * property of that name, or, as from Hadoop 3 on, by a variable of the environment ({@code
 * ${env.NAME}}). From the first one without a value on, the rest stays as it is written.
 */
final class Variables {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^${}\\s]+)\\}");
  private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([^:-]+)(?::?-(.*))?");

  /** Hadoop's limit for values that refer to themselves. */
  private static final int MOST = 20;

  private final Map<String, String> properties;

  Variables(Map<String, String> properties) {
    this.properties = properties;
  }

  String replacedIn(String value) {
    String result = value;
    for (int i = 0; i < MOST; i++) {
      Matcher matcher = VARIABLE.matcher(result);
      String found = matcher.find() ? valueOf(matcher.group(1)) : null;
      if (found == null) {
        return result;
      }
      result = result.substring(0, matcher.start()) + found + result.substring(matcher.end());
    }
    return result;
  }

  /** The value of a variable; null if it has none. */
  private String valueOf(String name) {
    Matcher environment = ENVIRONMENT.matcher(name);
    if (environment.matches()) {
      String value = System.getenv(environment.group(1));
      return value == null || value.isEmpty() ? environment.group(2) : value;
    }
    String property = System.getProperty(name);
    return property == null ? properties.get(name) : property;
  }
}
