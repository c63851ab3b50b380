import { root } from "@/lib/cli/root";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** How a handler of the kit is run here. */
type Runner = {
  /** Where a message goes; left out: `/pix`. */
  path?: string;
  /** The Debian packages that it needs, and whether their programs exist; left out: only the project's. */
  debian?: { packages: string; isThere: () => boolean };
  /** Its runtime reads the whole body, up to a limit, before the handler begins. */
  bodyFirst?: true;
  /** Puts it into an empty folder, builds it, and returns how to start it there; PORT is where it listens. */
  prepare: (folder: string, code: string) => (port: number) => [program: string, ...args: string[]];
};

function put(folder: string, file: string, text: string): void {
  const to = path.join(folder, file);
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, text);
}

const here = (file: string) => path.join(root, "lib/receiver-kit/testing", file);

const succeeds = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** The first one may be another than Debian's, which has Debian's packages. */
const pythonWith = (modules: string) =>
  ["python3", "/usr/bin/python3"].find((python) => succeeds(python, "-c", `import ${modules}`));

const jars = "/usr/share/java";
const springJars = [
  ...["web.servlet", "web", "context", "aop", "beans", "expression", "core"].map(
    (name) => `spring3-${name}`,
  ),
  "commons-logging",
  ...["catalina", "coyote", "api", "servlet-api", "annotations-api", "juli"].map(
    (name) => `tomcat9-${name}`,
  ),
  ...["jni", "util", "util-scan", "jaspic-api"].map((name) => `tomcat9-${name}`),
].map((name) => path.join(jars, `${name}.jar`));

/** What gives Next's handler a request and takes its answer, as `fetch` knows them. */
const aroundNext = `
  import { createServer } from "node:http";
  import { Readable } from "node:stream";
  createServer(async (request, response) => {
    const { method, headers } = request;
    try {
      const body = Readable.toWeb(request);
      const whole = new Request("http://localhost/pix", { method, headers, body, duplex: "half" });
      const { status } = await POST(whole);
      response.writeHead(status).end();
    } catch {
      response.destroy();
    }
  }).listen(Number(process.env.PORT));`;

export const runners: Readonly<Record<string, Runner>> = {
  express: {
    prepare: (folder, code) => {
      put(folder, "server.mjs", code);
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
      return () => [process.execPath, "server.mjs"];
    },
  },
  next: {
    prepare: (folder, code) => {
      put(folder, "route.mjs", code + aroundNext);
      return () => [process.execPath, "route.mjs"];
    },
  },
  node: {
    prepare: (folder, code) => {
      put(folder, "server.mjs", code);
      return () => [process.execPath, "server.mjs"];
    },
  },
  fastapi: {
    debian: {
      packages: "python3-fastapi python3-uvicorn",
      isThere: () => pythonWith("fastapi, uvicorn") !== undefined,
    },
    prepare: (folder, code) => {
      put(folder, "main.py", code);
      const python = pythonWith("fastapi, uvicorn") ?? "python3";
      return (port) => [python, "-m", "uvicorn", "main:app", "--port", String(port)];
    },
  },
  python: {
    prepare: (folder, code) => {
      put(folder, "server.py", code);
      return () => ["python3", "server.py"];
    },
  },
  spring: {
    debian: {
      packages: "default-jdk-headless libspring-web-servlet-java libtomcat9-java",
      isThere: () => succeeds("javac", "-version") && springJars.every((jar) => existsSync(jar)),
    },
    prepare: (folder, code) => {
      put(folder, "PixController.java", code);
      cpSync(here("Serve.java"), path.join(folder, "Serve.java"));
      const classes = [...springJars, "."].join(path.delimiter);
      const files = ["Serve.java", "PixController.java"];
      execFileSync("javac", ["-cp", classes, ...files], { cwd: folder, stdio: "pipe" });
      return () => ["java", "-cp", classes, "Serve", "."];
    },
  },
  laravel: {
    path: "/api/pix",
    // PHP does, up to its post_max_size.
    bodyFirst: true,
    debian: {
      packages: "php-cli php-laravel-framework",
      isThere: () =>
        succeeds(
          "php",
          "-r",
          "exit(stream_resolve_include_path('Illuminate/autoload.php') ? 0 : 1);",
        ),
    },
    prepare: (folder, code) => {
      put(folder, "routes/api.php", code);
      cpSync(here("laravel.php"), path.join(folder, "index.php"));
      const quiet = ["-d", "display_errors=0"];
      return (port) => ["php", ...quiet, "-S", `127.0.0.1:${port}`, "index.php"];
    },
  },
  go: {
    debian: { packages: "golang-go", isThere: () => succeeds("go", "version") },
    prepare: (folder, code) => {
      put(folder, "main.go", code);
      // Nothing is fetched: it takes the standard library alone.
      const env = { ...process.env, GOTOOLCHAIN: "local", GOPROXY: "off", GOFLAGS: "" };
      execFileSync("go", ["build", "-o", "receiver", "main.go"], {
        cwd: folder,
        env,
        stdio: "pipe",
      });
      return () => ["./receiver"];
    },
  },
};

/** Why a handler is not run: nobody can here, or something is not installed. null: it is run. */
export function whyNotRun(id: string): string | null {
  const runner = runners[id];
  if (!runner) return "nothing in Debian runs it";
  const { debian } = runner;
  return !debian || debian.isThere() ? null : `not installed: apt-get install ${debian.packages}`;
}
