/** One handler that a partner's developer can start from. */
type Snippet = {
  id: string;
  /** Language and framework, as they call themselves. */
  label: string;
  file: string;
  code: string;
  /** Gancho's tests run it against the endpoint check (snippets.test.ts). */
  tested: boolean;
};

/** What the handlers in JavaScript have in common, line by line. */
const node = {
  values: `// The whole header, "Bearer " included. NEXT is set only while the value is being changed.
const accepted = [process.env.PIX_AUTHORIZATION, process.env.PIX_AUTHORIZATION_NEXT].filter(Boolean);
`,
  required: `if (accepted.length === 0) throw new Error("PIX_AUTHORIZATION is not set");
`,
  comparison: `// Digests are all equally long, so the comparison takes as long whatever was sent.
const digest = (text) => createHash("sha256").update(text).digest();
const isAccepted = (given) =>
  accepted.some((value) => timingSafeEqual(digest(given ?? ""), digest(value)));
`,
};

/** The same of those in Python. */
const pythonValues = `# The whole header, "Bearer " included. NEXT is set only while the value is being changed.
names = ("PIX_AUTHORIZATION", "PIX_AUTHORIZATION_NEXT")
accepted = [os.environ[name].encode() for name in names if os.environ.get(name)]
if not accepted:
    raise SystemExit("PIX_AUTHORIZATION is not set")
`;

/**
 * Each compares the whole header in constant time before it reads the body, accepts a second value while the value is
 * being changed, answers at once, and works afterwards.
 */
export const snippets: readonly Snippet[] = [
  {
    id: "express",
    label: "Node · Express",
    file: "server.mjs",
    tested: true,
    code: `import { createHash, timingSafeEqual } from "node:crypto";
import express from "express";

${node.values}${node.required}
${node.comparison}
const app = express();
app.post(
  "/pix",
  (request, response, next) => {
    if (isAccepted(request.headers.authorization)) next();
    else response.sendStatus(401);
  },
  // Whatever its content type says: one that is not known as JSON would come without a body.
  express.raw({ type: () => true, limit: "64kb" }),
  (request, response) => {
    response.sendStatus(204);
    setImmediate(() => handleNotification(request.body));
  },
);
app.listen(Number(process.env.PORT ?? 8080));

function handleNotification(body) {
  // Put it into a queue. The same notification may come twice.
}
`,
  },
  {
    id: "next",
    label: "Node · Next.js",
    file: "app/pix/route.js",
    tested: true,
    code: `import { createHash, timingSafeEqual } from "node:crypto";

${node.values}
${node.comparison}
export async function POST(request) {
  if (!isAccepted(request.headers.get("authorization"))) return new Response(null, { status: 401 });
  await enqueue(await request.text());
  return new Response(null, { status: 204 });
}

async function enqueue(notification) {
  // Put it into a queue, and work on it afterwards. The same notification may come twice.
}
`,
  },
  {
    id: "node",
    label: "Node",
    file: "server.mjs",
    tested: true,
    code: `import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

${node.values}${node.required}
${node.comparison}
const server = createServer(async (request, response) => {
  if (request.method !== "POST" || request.url !== "/pix") return response.writeHead(404).end();
  if (!isAccepted(request.headers.authorization)) return response.writeHead(401).end();
  let body = "";
  try {
    for await (const piece of request.setEncoding("utf8")) {
      body += piece;
      if (body.length > 65_536) return response.writeHead(413).end();
    }
  } catch {
    return; // The connection was lost half-way.
  }
  response.writeHead(204).end();
  setImmediate(() => handleNotification(body));
});
server.listen(Number(process.env.PORT ?? 8080));

function handleNotification(body) {
  // Put it into a queue. The same notification may come twice.
}
`,
  },
  {
    id: "fastapi",
    label: "Python · FastAPI",
    file: "main.py",
    tested: true,
    code: `import hmac
import os

from fastapi import BackgroundTasks, FastAPI, Request, Response

${pythonValues}
app = FastAPI()


def is_accepted(given: str) -> bool:
    return any(hmac.compare_digest(given.encode(), value) for value in accepted)


@app.post("/pix")
async def pix(request: Request, tasks: BackgroundTasks) -> Response:
    if not is_accepted(request.headers.get("authorization", "")):
        return Response(status_code=401)
    tasks.add_task(handle_notification, await request.body())
    return Response(status_code=204, background=tasks)


def handle_notification(body: bytes) -> None:
    """Put it into a queue. The same notification may come twice."""
`,
  },
  {
    id: "python",
    label: "Python",
    file: "server.py",
    tested: true,
    code: `import hmac
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

${pythonValues}

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        given = self.headers.get("authorization", "").encode("latin-1", "replace")
        length = int(self.headers.get("content-length", "0"))
        if self.path != "/pix":
            return self.answer(404)
        if not any(hmac.compare_digest(given, value) for value in accepted):
            return self.answer(401)
        if length > 65_536:
            return self.answer(413)
        body = self.rfile.read(length)
        self.answer(204)
        handle_notification(body)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()


def handle_notification(body: bytes) -> None:
    """Put it into a queue. The same notification may come twice."""


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`,
  },
  {
    id: "spring",
    label: "Java · Spring",
    file: "PixController.java",
    tested: true,
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
    id: "laravel",
    label: "PHP · Laravel",
    file: "routes/api.php",
    tested: true,
    code: `<?php

use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\Route;

// Laravel serves this file below /api: the address to register ends in /api/pix.
Route::post('/pix', function (Request $request) {
    // The whole header, "Bearer " included. NEXT is set only while the value is being changed. In config/services.php:
    // 'pix' => ['authorization' => env('PIX_AUTHORIZATION'), 'next' => env('PIX_AUTHORIZATION_NEXT')],
    $accepted = array_filter([config('services.pix.authorization'), config('services.pix.next')]);
    $given = $request->header('Authorization', '');
    $isAccepted = false;
    foreach ($accepted as $value) {
        // Compares in constant time.
        $isAccepted = hash_equals($value, $given) || $isAccepted;
    }
    if (! $isAccepted) {
        return response()->noContent(401);
    }
    // A job of yours; the same notification may come twice.
    App\\Jobs\\HandlePixNotification::dispatch($request->getContent());

    return response()->noContent();
});
`,
  },
  {
    id: "go",
    label: "Go",
    file: "main.go",
    tested: true,
    code: `package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	// The whole header, "Bearer " included. NEXT is set only while the value is being changed.
	var accepted [][32]byte
	for _, name := range []string{"PIX_AUTHORIZATION", "PIX_AUTHORIZATION_NEXT"} {
		if value := os.Getenv(name); value != "" {
			accepted = append(accepted, sha256.Sum256([]byte(value)))
		}
	}
	if len(accepted) == 0 {
		log.Fatal("PIX_AUTHORIZATION is not set")
	}

	http.HandleFunc("/pix", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		given := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		matches := 0
		for _, value := range accepted {
			matches |= subtle.ConstantTimeCompare(given[:], value[:])
		}
		if matches == 0 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 65_536))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		go handleNotification(body)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}

func handleNotification(body []byte) {
	// Put it into a queue. The same notification may come twice.
}
`,
  },
  {
    id: "csharp",
    label: "C# · ASP.NET Core",
    file: "Program.cs",
    tested: false,
    code: `using System.Security.Cryptography;
using System.Text;

// The whole header, "Bearer " included. NEXT is set only while the value is being changed.
var accepted = new[] { "PIX_AUTHORIZATION", "PIX_AUTHORIZATION_NEXT" }
    .Select(name => Environment.GetEnvironmentVariable(name))
    .Where(value => !string.IsNullOrEmpty(value))
    .Select(value => SHA256.HashData(Encoding.UTF8.GetBytes(value!)))
    .ToArray();
if (accepted.Length == 0) throw new InvalidOperationException("PIX_AUTHORIZATION is not set");

var app = WebApplication.CreateBuilder(args).Build();
app.MapPost("/pix", async (HttpRequest request) =>
{
    var given = SHA256.HashData(Encoding.UTF8.GetBytes(request.Headers.Authorization.ToString()));
    // Compares in constant time.
    if (!accepted.Any(value => CryptographicOperations.FixedTimeEquals(given, value)))
        return Results.Unauthorized();
    using var reader = new StreamReader(request.Body);
    Enqueue(await reader.ReadToEndAsync());
    return Results.NoContent();
});
app.Run();

static void Enqueue(string notification)
{
    // Put it into a queue, and work on it afterwards. The same notification may come twice.
}
`,
  },
];

/** What a check sends, by hand. */
export function curlCommands(url: string, type: string): { without: string; withValue: string } {
  const body = JSON.stringify({
    gancho: "endpoint-check",
    type,
    note: "Not a payment. Sent by Gancho.",
  });
  const rest = `-H 'Content-Type: application/json' \\\n  -d '${body}' \\\n  '${url.replaceAll("'", "%27")}'`;
  const start = "curl -i -X POST \\\n  ";
  return {
    without: `${start}${rest}`,
    withValue: `${start}-H "Authorization: $PIX_AUTHORIZATION" \\\n  ${rest}`,
  };
}
