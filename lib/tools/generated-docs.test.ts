import { root } from "@/lib/cli/root";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { generatedDocs } from "./generated-docs";

it("the documents list the variables and commands that there are: npm run docs", async () => {
  for (const [file, text] of Object.entries(await generatedDocs()))
    expect(readFileSync(path.join(root, file), "utf8"), file).toBe(text);
});
