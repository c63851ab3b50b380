import { alertData } from "@/lib/alerts/model/alert";
import { commands } from "@/lib/cli/commands/all";
import { root } from "@/lib/cli/root";
import { secretVariables } from "@/lib/platform/env/secret-files";
import { variables } from "@/lib/platform/env/variables";
import { variablesSchema as sandboxVariables } from "@/lib/sandbox/config";
import { readFileSync } from "node:fs";
import path from "node:path";
import { format } from "prettier";

/** What `npm run docs` writes: the text of each file, by its path. A test compares them with the files. */
export async function generatedDocs(): Promise<Record<string, string>> {
  const operate = readFileSync(path.join(root, "docs/operate.md"), "utf8");
  const filled = [
    ["variables", table(["name", "meaning", "default"], forOperators().map(inTable))],
    ["commands", table(["command", "does"], Object.entries(commands).map(commandRow))],
    ["alerts", sentence(Object.keys(alertData))],
  ].reduce((text, [name = "", block = ""]) => withBlock(text, name, block), operate);
  return {
    "docs/operate.md": await format(filled, { parser: "markdown", printWidth: 100 }),
    ".env.example": envExample(),
  };
}

type Variable = { name: string; meaning: string; isRequired: boolean; preset: string };

export function allVariables(): Variable[] {
  const shape = { ...sandboxVariables.shape, ...variables("production").shape };
  const names = new Set([
    ...Object.keys(variables("production").shape),
    ...Object.keys(sandboxVariables.shape),
  ]);
  return [...names].map((name) => {
    const type = shape[name as keyof typeof shape];
    const preset = type.safeParse(undefined);
    return {
      name,
      meaning: type.description ?? "",
      isRequired: !preset.success,
      preset: [preset.data ?? ""].flat().map(String).join(",").replace("false", "0"),
    };
  });
}

function forOperators(): Variable[] {
  return allVariables().filter(({ name }) => !/^SANDBOX_/.test(name));
}

function inTable({ name, meaning, isRequired, preset }: Variable): string[] {
  return [`\`${name}\``, meaning, isRequired ? "required" : preset && `\`${preset}\``];
}

function commandRow([name, { summary }]: [string, { summary: string }]): string[] {
  return [`\`${name}\``, summary];
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => "-"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function sentence(words: string[]): string {
  return `${words.map((word) => `\`${word}\``).join(", ")}.`;
}

/** Replaces what stands between the marks of a block. Throws where a mark is missing. */
function withBlock(text: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/operate.md has no block ${name}`);
  return `${before}${begin}\n\n${block}\n\n${end}${after}`;
}

function envExample(): string {
  return `# Gancho's configuration, written by npm run docs from the code. Copy it to .env, which every command reads and nobody
# commits, or set the same names in the environment, which wins. Put a value with a # in double quotes: the rest would be a
# comment. npm run demo needs none of this.
#
# A secret can be in a file of its own, whose path is in a variable with _FILE behind the name:
# ${secretVariables.join(", ")}.

${allVariables().map(inExample).join("\n")}
# PEM file of your own authority, where it issued the certificate of the payment service or the provider. Node reads it; in a
# checkout only from the environment.
#NODE_EXTRA_CA_CERTS=
`;
}

function inExample({ name, meaning, isRequired, preset }: Variable): string {
  return `# ${meaning.replaceAll("`", "")}\n${isRequired ? "" : "#"}${name}=${preset}\n`;
}
