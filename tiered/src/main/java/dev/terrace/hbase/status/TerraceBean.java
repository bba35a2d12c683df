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
package dev.terrace.hbase.status;

import dev.terrace.api.TierStats;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ReflectionException;
import javax.management.StandardMBean;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;

/** Terrace's JMX bean: {@link TerraceMXBean}, and the attributes {@code Tiers}, {@code Paths}. */
public final class TerraceBean extends StandardMBean {

  private static final String TIERS = "Tiers";
  private static final String PATHS = "Paths";

  /** The names of parameters, which interfaces lose, by the operation. */
  private static final Map<String, List<String>> PARAMETERS =
      Map.of(
          "startTrace", List.of("folder", "oneIn", "mostMegabytes", "mostSeconds", "withTables"),
          "whyNotCached", List.of("name"));

  /** The names of those of the other operations, which make lists. */
  private static final List<String> OF_LISTS = List.of("most");

  private final Supplier<Map<String, TierStats>> stats;
  private final ReportedTiers reports = new ReportedTiers();

  /**
   * A bean that is not registered.
   *
   * @param stats the counters of each tier by its name, from the highest to the lowest
   */
  public TerraceBean(TerraceMXBean bean, Supplier<Map<String, TierStats>> stats) {
    super(bean, TerraceMXBean.class, true);
    this.stats = stats;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanInfo info = super.getMBeanInfo();
    int own = info.getAttributes().length;
    MBeanAttributeInfo[] attributes = Arrays.copyOf(info.getAttributes(), own + 2);
    attributes[own] =
        attribute(TIERS, "The tiers, from the highest to the lowest.", reports.type());
    attributes[own + 1] =
        attribute(PATHS, "The paths of PMem and SSD, with their state.", reports.typeOfPaths());
    return new MBeanInfo(
        info.getClassName(),
        info.getDescription(),
        attributes,
        info.getConstructors(),
        info.getOperations(),
        info.getNotifications(),
        info.getDescriptor());
  }

  private static MBeanAttributeInfo attribute(String name, String help, OpenType<?> type) {
    return new OpenMBeanAttributeInfoSupport(name, help, type, true, false, false);
  }

  @Override
  public Object getAttribute(String attribute)
      throws AttributeNotFoundException, MBeanException, ReflectionException {
    return switch (attribute) {
      case TIERS -> reports.of(stats.get());
      case PATHS -> reports.pathsOf(stats.get());
      default -> super.getAttribute(attribute);
    };
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    AttributeList values = super.getAttributes(attributes);
    Set<String> wanted = Set.copyOf(Arrays.asList(attributes));
    if (wanted.contains(TIERS)) {
      values.add(new Attribute(TIERS, reports.of(stats.get())));
    }
    if (wanted.contains(PATHS)) {
      values.add(new Attribute(PATHS, reports.pathsOf(stats.get())));
    }
    return values;
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return PARAMETERS.getOrDefault(operation.getName(), OF_LISTS).get(sequence);
  }
}
