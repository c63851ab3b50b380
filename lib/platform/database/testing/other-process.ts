import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const program = `
  import Libsql from "libsql";
  import { createInterface } from "node:readline";
  const database = new Libsql(process.argv[1], { timeout: 5000 });
  database.prepare("select count(*) from sqlite_master").all();
  console.log("open");
  createInterface({ input: process.stdin }).on("line", (line) => {
    database.exec(line);
    console.log("done");
  });
`;

/** Another process that has an embedded database open, and takes its write lock on request. */
export async function otherProcess(file: string) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const nextLine = () => once(lines, "line");
  await nextLine();
  const send = async (line: string) => {
    const answer = nextLine();
    child.stdin.write(`${line}\n`);
    await answer;
  };
  return {
    lock: () => send("begin immediate"),
    unlock: () => send("rollback"),
    end: async () => {
      const ended = once(child, "exit");
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}
