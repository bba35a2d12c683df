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

import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** The variables of a region server's environment, as hbase-env.sh sets them. */
final class EnvScript {

  /*
   * The script is a program: only a shell knows what its branches, functions, here-documents, commands
   * and other scripts make of a variable. A parser told of memory that no server would get. So bash
   * runs it, as bin/hbase does. That has the effects that each command of HBase has, such as "hbase
   * version": whoever may restart the server has them at the restart, a moment later. They must not
   * surprise for all that:
   *
   * - As root it is not run if another user can write it, who would become root by it.
   * - It gets bin/hbase's arguments and variables, and nothing else of the caller's: what a login shell
   *   has set is not there when an init system starts the server.
   * - It reads nothing and prints nothing, and is killed if it does not end.
   *
   * What a script that was not run would have set is unknown: a question, never an error.
   */

  private static final String NAME = "hbase-env.sh";

  /** bin/hbase reads both; then this prints all variables, and the names of those with export. */
  private static final String COMMAND =
      """
      {
        if [ -f "$HBASE_CONF_DIR/hbase-env.sh" ]; then . "$HBASE_CONF_DIR/hbase-env.sh"; fi
        if [ -f "$HBASE_HOME/conf/hbase-env-regionserver.sh" ]; then
          . "$HBASE_HOME/conf/hbase-env-regionserver.sh"
        fi
      } > /dev/null 2>&1
      set +eu
      IFS=$' \\t\\n'
      for name in $(compgen -v); do printf '%s=%s\\0' "$name" "${!name}"; done
      for name in $(compgen -e); do printf '%s\\0' "$name"; done
      """;

  private static final List<String> ARGUMENTS = List.of("hbase", "regionserver", "start");
  private static final List<String> KEPT =
      List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "JAVA_HOME");

  /** What {@code bin/hbase} makes the server's command of. */
  private static final List<String> USED =
      List.of(
          "JAVA_HOME",
          "HBASE_CLASSPATH",
          "HBASE_HEAPSIZE",
          "HBASE_OFFHEAPSIZE",
          "HBASE_OPTS",
          "SERVER_GC_OPTS",
          "HBASE_REGIONSERVER_OPTS");

  private final Map<String, String> values = new HashMap<>();
  private final Set<String> exported = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();
  private boolean known;

  private EnvScript() {}

  /**
   * Runs the script of a folder; an absent one sets nothing.
   *
   * @param conf the folder
   * @param home HBase's folder
   * @param limit after which it is killed
   */
  static EnvScript run(Path conf, Path home, Duration limit) throws UnreadableConfException {
    EnvScript script = new EnvScript();
    try {
      Optional<Path> foreign = foreign(conf, home);
      if (foreign.isPresent()) {
        script.notRun(
            foreign.get() + " can be written by others than root, so doctor does not run it",
            "run doctor as the region server's user");
      } else {
        script.runBash(conf, home, limit);
      }
      return script;
    } catch (IOException e) {
      throw new UnreadableConfException(conf.resolve(NAME) + " cannot be read: " + e, e);
    }
  }

  /** The script that root must not run. */
  private static Optional<Path> foreign(Path conf, Path home) throws IOException {
    for (Path file :
        List.of(conf.resolve(NAME), home.resolve("conf").resolve("hbase-env-regionserver.sh"))) {
      if (Files.exists(file) && System.getProperty("user.name").equals("root")) {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
        if (!Files.getAttribute(file, "unix:uid").equals(0)
            || rights.contains(PosixFilePermission.GROUP_WRITE)
            || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  private void runBash(Path conf, Path home, Duration limit) {
    List<String> command = new ArrayList<>(List.of("bash", "--noprofile", "--norc", "-c", COMMAND));
    command.addAll(ARGUMENTS);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().put("HBASE_CONF_DIR", conf.toString());
    builder.environment().put("HBASE_HOME", home.toString());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      // What is no UTF-8 is in no variable that matters here.
      read(ShortCommand.run(builder, limit).output(), conf);
    } catch (TimeoutException e) {
      notRun(
          conf.resolve(NAME) + " did not end within " + limit.toSeconds() + " s",
          "run it, and see what it waits for: the server waits for it, too");
    } catch (IOException e) {
      notRun("bash, which runs " + NAME + ", does not start here", "run doctor where HBase runs");
    }
  }

  private void read(String output, Path conf) {
    if (output.isEmpty()) {
      known = true;
      findings.add(
          Finding.error(
              conf.resolve(NAME) + " ends the shell that reads it",
              "bin/hbase ends there, before it starts the server.",
              "run bin/hbase version to see why; the script must not call exit"));
      return;
    }
    for (String each : output.split("\0", -1)) {
      int end = each.indexOf('=');
      if (end > 0) {
        values.put(each.substring(0, end), each.substring(end + 1));
      } else {
        exported.add(each);
      }
    }
    known = true;
    USED.stream()
        .filter(name -> get(name).isPresent() && !exported.contains(name))
        .forEach(name -> findings.add(notExported(name)));
  }

  /** bin/hbase-daemon.sh runs the script; bin/hbase, which it starts, does not run it again. */
  private static Finding notExported(String variable) {
    return Finding.question(
        variable + " is set in " + NAME + " without export",
        "bin/hbase starts the server with it, and bin/hbase-daemon.sh without it.",
        "write export " + variable + "=...");
  }

  private void notRun(String what, String remedy) {
    findings.add(
        Finding.question(
            what,
            "It may set Java, memory, options and the class path, which are unknown.",
            remedy));
  }

  /** Whether the variables are those that the server gets. */
  boolean isKnown() {
    return known;
  }

  /** Why the server does not start, or what is unknown. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** The value of a variable, unless it is empty. */
  Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  /** The environment of a process that the shell starts. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(values);
    environment.keySet().retainAll(exported);
    return environment;
  }
}
