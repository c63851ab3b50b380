import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

export type MailServer = {
  /** `smtp://127.0.0.1:…` */
  url: string;
  /** What arrived, whole mails with their headers, oldest first. */
  mails: { to: string[]; source: string }[];
  /**
   * `take`; `refuse` answers recipients with 550; `hold` takes a mail and never confirms it, as where the connection
   * breaks at the worst time.
   */
  manner: "take" | "refuse" | "hold";
  close: () => Promise<void>;
};

/** As much of SMTP (RFC 5321) as handing over one mail takes. */
export async function startMailServer({ refuse = false } = {}): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    // Who was killed in the middle does not say goodbye.
    converse(socket, started).catch(() => socket.destroy());
  }).listen(0, "127.0.0.1");
  const started: MailServer = {
    url: "",
    mails: [],
    manner: refuse ? "refuse" : "take",
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  started.url = `smtp://127.0.0.1:${port}`;
  return started;
}

async function converse(socket: Socket, server: MailServer) {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to: string[] = [];
  let source: string[] | null = null;
  say("220 test");
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (source && line === ".") {
      server.mails.push({ to, source: source.join("\n") });
      [to, source] = [[], null];
      if (server.manner !== "hold") say("250 taken");
    } else if (source) source.push(line.replace(/^\.\./, "."));
    else if (/^RCPT/i.test(line)) {
      to.push(line.replace(/^.*<(.*)>.*$/, "$1"));
      say(server.manner === "refuse" ? "550 no such mailbox" : "250 ok");
    } else if (/^DATA/i.test(line)) {
      source = [];
      say("354 go on");
    } else if (/^QUIT/i.test(line)) {
      say("221 bye");
      socket.end();
    } else say("250 ok");
  }
}
