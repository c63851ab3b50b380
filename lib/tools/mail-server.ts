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

export type ReadMail = { to: string[]; from: string; subject: string; text: string };

/** A mail of plain text, as Gancho sends them, as its reader sees it. */
export function readMail({ to, source }: MailServer["mails"][number]): ReadMail {
  const end = source.indexOf("\n\n");
  const headers = source.slice(0, end).replace(/\n[ \t]+/g, " ");
  const body = source.slice(end + 2);
  const header = (name: string) =>
    new RegExp(`^${name}: *(.*)$`, "im").exec(headers)?.[1]?.trim() ?? "";
  const texts: Record<string, () => string> = {
    base64: () => Buffer.from(body, "base64").toString(),
    "quoted-printable": () => fromQuotedPrintable(body),
  };
  const text = texts[header("content-transfer-encoding").toLowerCase()]?.() ?? body;
  const decoded = (name: string) => fromEncodedWords(header(name));
  return { to, from: decoded("from"), subject: decoded("subject"), text };
}

/** RFC 2045. */
function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

/** RFC 2047. */
function fromEncodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString()
        : fromQuotedPrintable(word.replaceAll("_", " ")),
    );
}

/** As much of SMTP (RFC 5321) as handing over one mail takes. */
export async function startMailServer({ refuse = false } = {}): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    // A killed client ends without QUIT.
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
