import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
/** One handler that a partner's developer can start from; snippets.test.ts runs it against the endpoint check. */
type Snippet = {
  id: string;
  /** Language and framework, as they call themselves. */
  label: string;
  file: string;
  code: string;
};

/**
 * Each compares the whole header in constant time before it reads the body, accepts a second value while the value is
 * being changed, and answers as soon as the notification is in a queue: nobody promises that a lost one comes again.
 */
export const snippets: readonly Snippet[] = [
  {
    id: "express",
    label: "Node · Express",
    file: "server.mjs",
    code: `import { createHash, timingSafeEqual } from "node:crypto";
import express from "express";

// The whole header, "Bearer " included. NEXT is set only while the value is being changed.
const accepted = [process.env.PIX_AUTHORIZATION, process.env.PIX_AUTHORIZATION_NEXT].filter(Boolean);
if (accepted.length === 0) throw new Error("PIX_AUTHORIZATION is not set");

// Digests have equal lengths, as timingSafeEqual requires.
const digest = (text) => createHash("sha256").update(text).digest();
const isAccepted = (given) =>
  accepted.some((value) => timingSafeEqual(digest(given ?? ""), digest(value)));

const app = express();
app.post(
  "/pix",
  (request, response, next) => {
    if (isAccepted(request.headers.authorization)) next();
    else response.sendStatus(401);
  },
  // Any content type: by default, express.raw reads only application/octet-stream.
  express.raw({ type: () => true, limit: "64kb" }),
  async (request, response, next) => {
    try {
      await enqueue(request.body);
      response.sendStatus(204);
    } catch (error) {
      next(error);
    }
  },
);
app.listen(Number(process.env.PORT ?? 8080));

async function enqueue(notification) {
  // Put it into a queue, and work on it afterwards. The same notification may come twice.
}
`,
  },
  {
    id: "spring",
    label: "Java · Spring",
    file: "PixController.java",
    code: `import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PixController {
  // The whole header, "Bearer " included. NEXT is set only while the value is being changed.
  private final List<byte[]> accepted =
      Stream.of("PIX_AUTHORIZATION", "PIX_AUTHORIZATION_NEXT")
          .map(System::getenv)
          .filter(value -> value != null && !value.isEmpty())
          .map(value -> value.getBytes(StandardCharsets.UTF_8))
          .toList();

  @PostMapping("/pix")
  ResponseEntity<Void> receive(
      @RequestHeader(name = "Authorization", defaultValue = "") String given, InputStream body)
      throws IOException {
    byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
    // Compares in constant time.
    boolean isAccepted = accepted.stream().anyMatch(value -> MessageDigest.isEqual(bytes, value));
    if (!isAccepted) return ResponseEntity.status(401).build();
    byte[] notification = body.readNBytes(65_537);
    if (notification.length > 65_536) return ResponseEntity.status(413).build();
    enqueue(notification);
    return ResponseEntity.noContent().build();
  }

  private void enqueue(byte[] notification) {
    // Put it into a queue, and work on it afterwards. The same notification may come twice.
  }
}
`,
  },
  {
    id: "php",
    label: "PHP",
    file: "pix.php",
    code: `<?php
declare(strict_types=1);

// Apache keeps the header from PHP unless its configuration, or .htaccess, has this line:
//   CGIPassAuth On
// PHP-FPM passes on no variable that its pool does not name: env[PIX_AUTHORIZATION] = $PIX_AUTHORIZATION
// Have the web server refuse long bodies: Apache by LimitRequestBody, nginx by client_max_body_size.

// The whole header, "Bearer " included. NEXT is set only while the value is being changed.
$accepted = array_filter([getenv("PIX_AUTHORIZATION"), getenv("PIX_AUTHORIZATION_NEXT")]);
$given = $_SERVER["HTTP_AUTHORIZATION"] ?? "";

$isAccepted = false;
foreach ($accepted as $value) {
    // Compares in constant time.
    $isAccepted = hash_equals($value, $given) || $isAccepted;
}

http_response_code(match (true) {
    !$isAccepted => 401,
    $_SERVER["REQUEST_METHOD"] !== "POST" => 405,
    default => receive(),
});

function receive(): int
{
    $notification = file_get_contents("php://input", length: 65_537);
    if (strlen($notification) > 65_536) {
        return 413;
    }
    try {
        enqueue($notification);
        return 204;
    } catch (Throwable $error) {
        error_log((string) $error);
        return 500;
    }
}

function enqueue(string $notification): void
{
    // Put it into a queue, and work on it afterwards. The same notification may come twice.
}
`,
  },
  {
    id: "python",
    label: "Python · WSGI",
    file: "pix.py",
    code: `import hmac
import os

# The whole header, "Bearer " included. NEXT is set only while the value is being changed.
accepted = [
    value.encode("latin-1")
    for name in ("PIX_AUTHORIZATION", "PIX_AUTHORIZATION_NEXT")
    if (value := os.environ.get(name))
]


def application(environ, start_response):
    """For any WSGI server, such as gunicorn pix:application"""
    start_response(receive(environ), [])
    return []


def receive(environ):
    # Bytes, because compare_digest refuses text that is not ASCII. It compares in constant time.
    given = environ.get("HTTP_AUTHORIZATION", "").encode("latin-1")
    if not any(hmac.compare_digest(given, value) for value in accepted):
        return "401 Unauthorized"
    if environ["REQUEST_METHOD"] != "POST":
        return "405 Method Not Allowed"
    notification = environ["wsgi.input"].read(65_537)
    if len(notification) > 65_536:
        return "413 Content Too Large"
    # The connection was lost.
    if len(notification) < int(environ.get("CONTENT_LENGTH") or 0):
        return "400 Bad Request"
    enqueue(notification)
    return "204 No Content"


def enqueue(notification):
    # Put it into a queue, and work on it afterwards. The same notification may come twice.
    pass
`,
  },
];

/** Where a partner receives the notifications of one type. */
export type Receiver = { type: WebhookType; url: string };

/**
 * Sends by hand what a check sends. The types may have different values, so each has its own variable; the shell refuses
 * the command where it is not set, as curl would leave the header out.
 */
export function curlCommands({ type, url }: Receiver): { without: string; withValue: string } {
  const body = JSON.stringify({
    event: "endpoint-check",
    type,
    note: "Not a payment. Sent to check this endpoint.",
  });
  const rest = `-H 'Content-Type: application/json' \\\n  -d '${body}' \\\n  '${url.replaceAll("'", "%27")}'`;
  // Brackets in the address are no pattern of curl's.
  const start = "curl -i -X POST --globoff \\\n  ";
  const variable = `\${${type.toUpperCase()}_AUTHORIZATION:?}`;
  return {
    without: `${start}${rest}`,
    withValue: `${start}-H "Authorization: ${variable}" \\\n  ${rest}`,
  };
}
