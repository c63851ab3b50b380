import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { root } from "@/lib/cli/root";
import { createTestAuthority } from "@/lib/tools/certificates";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const authority = createTestAuthority();

/** An installation whose programs say who they are, and whether they trust a server of this authority. */
function release(env: string): string {
  const folder = newFolder();
  const authorityFile = path.join(folder, "authority.pem");
  writeFileSync(authorityFile, authority.ca);
  mkdirSync(path.join(folder, "deploy"));
  copyFileSync(path.join(root, "deploy/gancho"), path.join(folder, "deploy/gancho"));
  mkdirSync(path.join(folder, "dist"));
  for (const name of ["start", "gancho"])
    writeFileSync(
      path.join(folder, "dist", `${name}.mjs`),
      `const answer = await fetch(process.argv.at(-1)).catch(({ cause }) => cause.code);
      console.log("${name}", answer.status ?? answer);`,
    );
  writeFileSync(path.join(folder, ".env"), env.replace("AUTHORITY", authorityFile));
  return folder;
}

it.each([
  ["without one", "PORT=3000\n", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ["with one", "PORT=3000\nNODE_EXTRA_CA_CERTS=AUTHORITY\n", "200"],
  ["with one, in quotes and with a remark", 'NODE_EXTRA_CA_CERTS="AUTHORITY"  # ours\n', "200"],
])(
  "trusts the authority of .env in the service and in every command alike, %s",
  async (_what, env, answer) => {
    const server = createServer(authority.issue({ names: ["localhost"] }), (_request, response) =>
      response.end(),
    );
    const url = `https://localhost:${await listenHere(server)}`;
    const folder = release(env);
    const run = async (...words: string[]) => {
      const program = path.join(folder, "deploy/gancho");
      const env = { PATH: process.env["PATH"], NODE_ENV: "production" } as const;
      const { stdout } = await promisify(execFile)(program, [...words, url], { env });
      return stdout.trim();
    };
    expect([await run("start"), await run("check-config")]).toEqual([
      `start ${answer}`,
      `gancho ${answer}`,
    ]);
  },
);
