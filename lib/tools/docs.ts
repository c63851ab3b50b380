import { runProgram } from "@/lib/cli/failure";
import { root } from "@/lib/cli/root";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { generatedDocs } from "./generated-docs";

/** `npm run docs`: writes what the documents say of variables and commands, from the code. */
await runProgram("The documents cannot be written", async () => {
  for (const [file, text] of Object.entries(await generatedDocs()))
    writeFileSync(path.join(root, file), text);
});
