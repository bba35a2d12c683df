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
package dev.terrace.tools;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** A process with a recorder under the name that it is given, until it is killed. */
final class BeanProcess {

  private BeanProcess() {}

  public static void main(String[] names) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new TraceCommandTest.Recorder(), new ObjectName(names[0]));
    System.out.write('!');
    System.out.flush();
    System.in.read();
  }
}
