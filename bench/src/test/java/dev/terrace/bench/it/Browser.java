// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import dev.terrace.api.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * A headless Chromium, spoken to through chromedriver by the W3C's WebDriver protocol: JSON over
 * HTTP, which needs no library. Used by one thread.
 */
public final class Browser implements AutoCloseable {

  private static final int MAX_STARTS = 5;
  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
  private static final Gson GSON = new Gson();

  private final Process driver;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI session;

  /** Where the browser and its driver are. */
  public record Install(Path chromium, Path driver) {

    /** Those of the system; empty if one is missing. */
    public static Optional<Install> find() {
      Optional<Path> driver = onPath("chromedriver");
      return Stream.of("chromium", "chromium-browser", "google-chrome")
          .flatMap(name -> onPath(name).stream())
          .findFirst()
          .flatMap(chromium -> driver.map(found -> new Install(chromium, found)));
    }

    /** A program of the system. */
    static Optional<Path> onPath(String name) {
      return Stream.of(System.getenv("PATH").split(":", -1))
          .map(directory -> Path.of(directory, name))
          .filter(Files::isExecutable)
          .findFirst();
    }
  }

  private Browser(Process driver, int port, String capabilities) throws IOException {
    this.driver = driver;
    URI sessions = URI.create("http://127.0.0.1:" + port + "/session/");
    JsonObject created =
        send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/session"))
                .POST(HttpRequest.BodyPublishers.ofString(capabilities)))
            .getAsJsonObject();
    this.session = sessions.resolve(created.get("sessionId").getAsString() + "/");
  }

  /**
   * Starts a browser.
   *
   * @param profile an empty directory
   */
  public static Browser start(Install install, Path profile) throws IOException {
    List<String> said = new ArrayList<>();
    for (int start = 0; start < MAX_STARTS; start++) {
      Process driver =
          new ProcessBuilder(install.driver().toString(), "--port=0")
              .redirectErrorStream(true)
              .start();
      try {
        OptionalInt port = port(driver, said);
        if (port.isPresent()) {
          return new Browser(driver, port.getAsInt(), capabilities(install, profile));
        }
      } catch (IOException e) {
        driver.destroyForcibly();
        throw e;
      }
    }
    throw new IOException("chromedriver told no port: " + said);
  }

  /** None if it ended: it takes a free port of IPv6, which another process may use with IPv4. */
  private static OptionalInt port(Process driver, List<String> said) throws IOException {
    BufferedReader lines = driver.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        return OptionalInt.of(Integer.parseInt(matcher.group(1)));
      }
      said.add(line);
    }
    return OptionalInt.empty();
  }

  private static String capabilities(Install install, Path profile) {
    return String.format(
        """
        {"capabilities": {"alwaysMatch": {
          "browserName": "chrome",
          "goog:chromeOptions": {"binary": "%s", "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--user-data-dir=%s"]},
          "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}}
        """,
        install.chromium(), profile);
  }

  /** Opens a page and waits until it is loaded. */
  public void open(URI page) throws IOException {
    post("url", Map.of("url", page.toString()));
  }

  /** Makes the page so many pixels wide. */
  public void resize(int widthPixels, int heightPixels) throws IOException {
    devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width", widthPixels, "height", heightPixels, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Shows the page as to a reader who prefers {@code light} or {@code dark}. */
  public void prefer(String colorScheme) throws IOException {
    devTools(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** Runs a script, the body of a function, and returns what it returns. */
  public JsonElement run(String script) throws IOException {
    return post("execute/sync", Map.of("script", script, "args", List.of()));
  }

  /** How many elements a selector finds. */
  int count(String selector) throws IOException {
    return run("return document.querySelectorAll('" + selector + "').length").getAsInt();
  }

  /** The messages of a log since it was last read: {@code browser} or {@code performance}. */
  public List<String> log(String type) throws IOException {
    List<String> messages = new ArrayList<>();
    for (JsonElement entry : post("se/log", Map.of("type", type)).getAsJsonArray()) {
      messages.add(entry.getAsJsonObject().get("message").getAsString());
    }
    return messages;
  }

  /** Keeps a picture of the whole page, as PNG. */
  public void screenshot(Path file) throws IOException {
    JsonObject picture =
        devTools("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
            .getAsJsonObject();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(picture.get("data").getAsString()));
  }

  private JsonElement devTools(String command, Map<String, ?> parameters) throws IOException {
    return post("goog/cdp/execute", Map.of("cmd", command, "params", parameters));
  }

  private JsonElement post(String command, Map<String, ?> body) throws IOException {
    return send(
        HttpRequest.newBuilder(session.resolve(command))
            .POST(HttpRequest.BodyPublishers.ofString(GSON.toJson(body))));
  }

  private JsonElement send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(
              request.timeout(Patience.LIMIT).header("Content-Type", "application/json").build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException("chromedriver: " + response.body());
      }
      return JsonParser.parseString(response.body()).getAsJsonObject().get("value");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Ends the browser, and its driver. */
  @Override
  public void close() throws IOException {
    try {
      String id = session.toString();
      send(HttpRequest.newBuilder(URI.create(id.substring(0, id.length() - 1))).DELETE());
    } finally {
      driver.destroy();
      try {
        if (!driver.waitFor(Patience.SECONDS, TimeUnit.SECONDS)) {
          driver.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        driver.destroyForcibly();
      }
    }
  }
}
