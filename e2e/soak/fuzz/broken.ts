import type { Dice } from "./dice";

const lines = [
  "transfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "content-length: -1",
  "content-length: 99999999999999999999",
  "content-length: 0",
  "expect: 100-continue",
  "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
  "host: a\r\nhost: b",
  "cookie: " + "a=b; ".repeat(500),
  "cookie: gancho.session=%; gancho.session=" + "x".repeat(4_000),
  "x-long: " + "y".repeat(20_000),
  "accept-language: " + "xx-yy-zz;q=0.1,".repeat(200),
  "accept-encoding: *;q=0",
  "range: bytes=0-0,1-1,2-2",
  "if-none-match: *",
  "content-encoding: gzip",
  "rsc: 1\r\nnext-router-state-tree: %5B%22%22%2C",
  "next-action: 00",
  "x-forwarded-for: not an address",
  "authorization: Basic ====",
  "authorization: Bearer a.b.c",
  ": no name",
  "bad name: x",
  "x-null: \u0000",
];

/** The same request with its bytes damaged. */
export function broken(dice: Dice, bytes: Buffer): Buffer {
  const at = dice.under(bytes.length);
  switch (dice.under(8)) {
    case 0: {
      const changed = Buffer.from(bytes);
      for (let times = 0; times <= dice.under(6); times += 1)
        changed[dice.under(changed.length)] = dice.under(256);
      return changed;
    }
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 40))]);
    case 3:
      return Buffer.from(Array.from({ length: dice.under(400) }, () => dice.under(256)));
    case 4:
      return Buffer.concat([bytes, bytes]);
    case 5: {
      const text = bytes.toString("latin1");
      const version = dice.oneOf(["HTTP/1.0", "HTTP/2.0", "HTTP/9", "HTTP/1.1 x", "", "RTSP/1.0"]);
      return Buffer.from(text.replace("HTTP/1.1", version), "latin1");
    }
    default: {
      const line = lines[dice.under(lines.length)] ?? "";
      const text = bytes.toString("latin1");
      return Buffer.from(text.replace("\r\n", `\r\n${line}\r\n`), "latin1");
    }
  }
}
