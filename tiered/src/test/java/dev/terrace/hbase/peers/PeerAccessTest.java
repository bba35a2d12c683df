// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.settings.WarmRate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
final class PeerAccessTest {

  private static final PeerAccess KERBEROS = new PeerAccess(true, true, false);
  private static final PeerAccess SIMPLE = new PeerAccess(true, false, false);

  /** Hadoop makes a local name of each principal. */
  @BeforeAll
  static void mapPrincipals() {
    KerberosName.setRules("RULE:[1:$1] RULE:[2:$1]");
  }

  private static UserGroupInformation caller(String name, AuthenticationMethod method) {
    UserGroupInformation caller = UserGroupInformation.createRemoteUser(name);
    caller.setAuthenticationMethod(method);
    return caller;
  }

  private static void allows(PeerAccess access, String own, String name) {
    AuthenticationMethod method =
        access.isSecure() ? AuthenticationMethod.KERBEROS : AuthenticationMethod.SIMPLE;
    assertThatCode(() -> access.require(caller(name, method), caller(own, method)))
        .doesNotThrowAnyException();
  }

  private static void denies(PeerAccess access, UserGroupInformation caller, String own) {
    assertThatThrownBy(() -> access.require(caller, UserGroupInformation.createRemoteUser(own)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void withKerberosServersOfTheSamePrincipalAreServed() {
    String own = "hbase/rs1.example.org@EXAMPLE.ORG";
    allows(KERBEROS, own, "hbase/rs2.example.org@EXAMPLE.ORG");
    allows(KERBEROS, own, own);

    for (String other :
        new String[] {
          "hbase@EXAMPLE.ORG",
          "hbase/rs2.example.org@OTHER.ORG",
          "hbase/rs2.example.org",
          "hbase2/rs2.example.org@EXAMPLE.ORG",
          "mallory@EXAMPLE.ORG",
          "mallory/rs1.example.org@EXAMPLE.ORG",
          "hbase",
          "mallory"
        }) {
      denies(KERBEROS, caller(other, AuthenticationMethod.KERBEROS), own);
    }
  }

  @Test
  void neitherTokensNorImpersonationsAreServers() {
    String own = "hbase/rs1.example.org@EXAMPLE.ORG";
    denies(KERBEROS, null, own);
    for (AuthenticationMethod method : AuthenticationMethod.values()) {
      if (method != AuthenticationMethod.KERBEROS) {
        denies(KERBEROS, caller(own, method), own);
      }
    }
    UserGroupInformation proxy =
        UserGroupInformation.createProxyUser(
            own, caller("oozie@EXAMPLE.ORG", AuthenticationMethod.KERBEROS));
    proxy.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    denies(KERBEROS, proxy, own);
  }

  @Test
  void withoutKerberosTheNameCounts() {
    allows(SIMPLE, "hbase", "hbase");
    denies(SIMPLE, caller("mallory", AuthenticationMethod.SIMPLE), "hbase");
    denies(SIMPLE, caller("hbase", AuthenticationMethod.TOKEN), "hbase");
    denies(SIMPLE, null, "hbase");
  }

  private static PeerAccess of(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return PeerAccess.of(conf, new WarmRate(1, true));
  }

  @Test
  void onlyPrivacyAndTlsWithoutExceptionsAreConfidential() {
    String security = "hbase.security.authentication";
    String protection = "hbase.rpc.protection";
    String tls = "hbase.server.netty.tls.enabled";
    String plain = "hbase.server.netty.tls.supportplaintext";

    assertThat(of()).isEqualTo(SIMPLE);
    assertThat(of(security, "kerberos")).isEqualTo(KERBEROS);
    assertThat(of(security, "kerberos", protection, "privacy").isConfidential()).isTrue();
    assertThat(of(security, "kerberos", protection, "integrity").isConfidential()).isFalse();
    assertThat(of(security, "kerberos", protection, "privacy,integrity").isConfidential())
        .isFalse();
    assertThat(of(protection, "privacy").isConfidential()).isFalse();
    assertThat(of(tls, "true").isConfidential()).as("plain text is accepted, too").isFalse();
    assertThat(of(tls, "true", plain, "false").isConfidential()).isTrue();
  }

  @Test
  void withoutKerberosItIsOffUnlessTheRateSaysSo() {
    Configuration conf = new Configuration(false);
    assertThat(PeerAccess.of(conf, new WarmRate(1, true)).isOn()).isTrue();
    PeerAccess off = PeerAccess.of(conf, new WarmRate(1, false));
    assertThat(off.isOn()).isFalse();
    denies(off, caller("hbase", AuthenticationMethod.SIMPLE), "hbase");

    conf.set("hbase.security.authentication", "kerberos");
    assertThat(PeerAccess.of(conf, new WarmRate(1, false)).isOn()).isTrue();
    assertThat(PeerAccess.of(conf, new WarmRate(0, true)).isOn()).isFalse();
  }
}
