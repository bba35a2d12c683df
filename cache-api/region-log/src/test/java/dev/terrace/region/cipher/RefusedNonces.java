// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.cipher;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/**
 * A JVM whose only provider of AES-GCM refuses a nonce of its caller's when it encrypts, as some do
 * in FIPS modes.
 */
public final class RefusedNonces {

  private static final String USUAL = "SunJCE";

  private RefusedNonces() {}

  /** Calls something in such a JVM, on a thread that has no cipher yet. */
  public static <T> T in(Callable<T> action) throws Exception {
    Provider usual = Security.getProvider(USUAL);
    int position = List.of(Security.getProviders()).indexOf(usual) + 1;
    Provider refusing = new Refusing(usual);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Security.removeProvider(USUAL);
    Security.insertProviderAt(refusing, position);
    try {
      return thread.submit(action).get();
    } finally {
      Security.removeProvider(refusing.getName());
      Security.insertProviderAt(usual, position);
      thread.shutdown();
    }
  }

  private static final class Refusing extends Provider {

    private static final long serialVersionUID = 1;

    private Refusing(Provider usual) {
      super("Refusing", "1", "AES-GCM with nonces of its own");
      putService(
          new Service(this, "Cipher", "AES/GCM/NoPadding", "Gcm", null, null) {
            @Override
            public Object newInstance(Object parameter) {
              return new Gcm(usual);
            }
          });
      putService(
          new Service(this, "Mac", "HmacSHA256", "Hmac", null, null) {
            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
              return usual.getService("Mac", "HmacSHA256").newInstance(parameter);
            }
          });
    }
  }

  private static final class Gcm extends CipherSpi {

    private final Cipher usual;

    private Gcm(Provider provider) {
      try {
        usual = Cipher.getInstance("AES/GCM/NoPadding", provider);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected void engineInit(
        int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
        throws InvalidAlgorithmParameterException {
      if (mode == Cipher.ENCRYPT_MODE) {
        throw new InvalidAlgorithmParameterException("nonces are this module's own");
      }
      try {
        usual.init(mode, key, parameters);
      } catch (GeneralSecurityException e) {
        throw new InvalidAlgorithmParameterException(e);
      }
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineInit(
        int mode, Key key, AlgorithmParameters parameters, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineSetMode(String mode) {}

    @Override
    protected void engineSetPadding(String padding) {}

    @Override
    protected int engineGetBlockSize() {
      return usual.getBlockSize();
    }

    @Override
    protected int engineGetOutputSize(int inputBytes) {
      return usual.getOutputSize(inputBytes);
    }

    @Override
    protected byte[] engineGetIV() {
      return usual.getIV();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return usual.getParameters();
    }

    @Override
    protected void engineUpdateAAD(byte[] bytes, int offset, int length) {
      usual.updateAAD(bytes, offset, length);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      return usual.update(input, offset, length);
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int at) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
        throws IllegalBlockSizeException, BadPaddingException {
      return input == null ? usual.doFinal() : usual.doFinal(input, offset, length);
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int at)
        throws IllegalBlockSizeException, BadPaddingException, ShortBufferException {
      return usual.doFinal(input, offset, length, output, at);
    }
  }
}
