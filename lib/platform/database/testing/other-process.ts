import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Another process that has an embedded database open, and takes its write lock on request. */
export type OtherProcess = {
  pid: number;
  lock: () => Promise<void>;
  unlock: () => Promise<void>;
  end: () => Promise<void>;
};

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

export async function otherProcess(file: string): Promise<OtherProcess> {
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
    pid: child.pid ?? 0,
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
