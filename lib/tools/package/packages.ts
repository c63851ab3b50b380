import { root } from "@/lib/cli/root";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The notices of third-party packages in a release, each by its folder in the project. */

type Bill = {
  metadata: { component: object };
  components: { "bom-ref": string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** npm's, of all that a release is built from, without what no release has anything of. */
export function billOfMaterials(folders: readonly string[]): Bill {
  const all = JSON.parse(
    execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 ** 2,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as Bill;
  const { name: own, version: ownVersion } = manifest(".");
  const inside = new Set(folders.map(reference));
  const components = all.components.filter((each) => inside.has(each["bom-ref"]));
  const known = new Set(components.map((each) => each["bom-ref"]));
  const unknown = [...inside].filter((ref) => !known.has(ref));
  if (unknown.length > 0) throw new Error(`npm knows nothing of ${unknown.join(", ")}`);
  const refs = known.add(`${own}@${ownVersion}`);
  return {
    ...all,
    metadata: {
      ...all.metadata,
      component: { ...all.metadata.component, type: "application", name: own },
    },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) })),
  };
}

/** Each package with its licence and the texts that its authors want to be passed on. */
export function notices(folders: readonly string[]): string {
  const head =
    "Gancho contains the following packages, or parts of them. Each is under the licence of its own that stands below it.\n";
  return [head, ...folders.map(noticeOf)].join(`\n${"-".repeat(100)}\n\n`);
}

function noticeOf(folder: string): string {
  const { name, version, license, homepage } = manifest(folder);
  // The framework has packages of others inside, each with its text.
  const sources = [folder, ...(name === "next" ? compiledInto(folder) : [])];
  const texts = sources.flatMap((source) =>
    readdirSync(path.join(root, source), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
      .map((entry) => {
        const text = readFileSync(path.join(root, source, entry.name), "utf8").trim();
        return source === folder ? text : `${path.relative(folder, source)}:\n\n${text}`;
      }),
  );
  return [`${name} ${version}`, `Licence: ${license}`, ...(homepage ? [homepage] : [])]
    .join("\n")
    .concat("\n\n", texts.join("\n\n"), "\n");
}

function compiledInto(framework: string): string[] {
  const folder = path.join(framework, "dist/compiled");
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function reference(folder: string): string {
  const { name, version } = manifest(folder);
  return `${name}@${version}`;
}

type Manifest = { name: string; version: string; license: string; homepage?: string };

function manifest(folder: string): Manifest {
  const file = path.join(root, folder, "package.json");
  const stated = JSON.parse(readFileSync(file, "utf8")) as Omit<Manifest, "license"> &
    Partial<Manifest>;
  return { ...stated, license: stated.license ?? "see below" };
}
