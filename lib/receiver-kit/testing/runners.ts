import { root } from "@/lib/cli/root";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** How a handler of the kit is run here. */
type Runner = {
  /** The Debian packages that it needs, and whether their programs exist; left out: only the project's. */
  debian?: { packages: string; isThere: () => boolean };
  /** What the server that runs it does before the handler sees a request. */
  server?: { readsBodyFirst?: true; trimsNoBreakSpace?: true };
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

export const runners: Readonly<Record<string, Runner>> = {
  express: {
    prepare: (folder, code) => {
      put(folder, "server.mjs", code);
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
      return () => [process.execPath, "server.mjs"];
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
  php: {
    debian: { packages: "php-cli", isThere: () => succeeds("php", "--version") },
    // As PHP-FPM gets the body from the web server in front of it.
    server: { readsBodyFirst: true },
    prepare: (folder, code) => {
      put(folder, "pix.php", code);
      return (port) => ["php", "-S", `127.0.0.1:${port}`, "pix.php"];
    },
  },
  python: {
    debian: { packages: "gunicorn", isThere: () => succeeds("gunicorn", "--version") },
    server: { trimsNoBreakSpace: true },
    prepare: (folder, code) => {
      put(folder, "pix.py", code);
      return (port) => ["gunicorn", "--bind", `127.0.0.1:${port}`, "pix:application"];
    },
  },
};

/** Why a handler is not run: something is not installed. null: it is run. */
export function whyNotRun(id: string): string | null {
  const debian = runners[id]?.debian;
  return !debian || debian.isThere() ? null : `not installed: apt-get install ${debian.packages}`;
}
