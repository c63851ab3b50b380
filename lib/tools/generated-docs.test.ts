import { root } from "@/lib/cli/root";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { generatedDocs } from "./generated-docs";

it("the documents list the variables and commands that there are: npm run docs", async () => {
  for (const [file, text] of Object.entries(await generatedDocs()))
    expect(readFileSync(path.join(root, file), "utf8"), file).toBe(text);
});

it("every link of a document, and every file in docs that a file names, exists", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.tsx", "*.mjs"], { cwd: root });
  const missing = files
    .toString()
    .trim()
    .split("\n")
    .filter((file) => existsSync(path.join(root, file)))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      const named = [...text.matchAll(/docs\/[a-z/-]+\.md/g)].map(([name]) => name);
      const links = file.endsWith(".md")
        ? [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
        : [];
      return [...named, ...links.map(([, link = ""]) => path.join(path.dirname(file), link))]
        .filter((name) => !existsSync(path.join(root, name)))
        .map((name) => `${file}: ${name}`);
    });
  expect(missing).toEqual([]);
});
