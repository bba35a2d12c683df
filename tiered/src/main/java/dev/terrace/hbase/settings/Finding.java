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

/**
 * One thing that is wrong with a start, or may be.
 *
 * @param severity whether the region server starts all the same
 * @param what the setting, path or version, and its problem
 * @param why the reason to care
 * @param remedy what to set or to do
 */
public record Finding(Severity severity, String what, String why, String remedy) {

  /** How bad a finding is. */
  public enum Severity {
    /** The region server does not start, or not with Terrace. */
    ERROR,
    /** It starts without a path. */
    OUT,
    /** Only the operator knows whether it starts. */
    QUESTION,
    /** It starts, and is not as good as it could be. */
    WARNING
  }

  /** A finding that keeps the region server from its start. */
  public static Finding error(String what, String why, String remedy) {
    return new Finding(Severity.ERROR, what, why, remedy);
  }

  /** A finding that only the operator can tell from an error. */
  public static Finding question(String what, String why, String remedy) {
    return new Finding(Severity.QUESTION, what, why, remedy);
  }

  /** A finding with which the region server starts. */
  public static Finding warning(String what, String why, String remedy) {
    return new Finding(Severity.WARNING, what, why, remedy);
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** The finding in one line of a log. */
  public String message() {
    return what + ": " + remedy;
  }
}
