import { expect, it } from "vitest";
import { createLog } from "./log";
import { noteCall, withRequestNote, type RequestNote } from "./request-note";
import { Secret } from "@/lib/platform/runtime/secret";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ write: (line: string) => void lines.push(line) }, "info"));
  return lines.join("");
}

it("writes one JSON object a line, whatever people sent (threat: log injection)", () => {
  const path = '/\n{"level":"error","msg":"forged"}\n';
  const line = logged((log) => log.info({ requestId: "r1", path }, "request"));
  expect(line.split("\n").slice(1)).toEqual([""]);
  expect(JSON.parse(line)).toMatchObject({ level: "info", requestId: "r1", msg: "request" });
});

it("prints no secret, whether wrapped or inside another's object (threat: secrets in logs)", () => {
  const line = logged((log) =>
    log.info({
      wrapped: new Secret("hush-1"),
      password: "hush-2",
      headers: { authorization: "hush-3", cookie: "hush-4", "set-cookie": ["hush-5"] },
      upstream: { body: { access_token: "hush-6", auth_header: "hush-7" } },
      client_secret: "hush-8",
    }),
  );
  expect(line).not.toContain("hush");
  expect(line).toContain("[secret]");
});

it("leaves a call to the line of its request, until that is written", () => {
  const note: RequestNote = {
    requestId: "r1",
    clientAddress: null,
    userId: null,
    isLogged: false,
    calls: [],
    lackedDatabase: false,
    isNotFound: false,
    isOver: false,
  };
  const call = { call: "list", status: 200, ms: 12 };
  withRequestNote(note, () => {
    expect(noteCall(call)).toBe(true);
    note.isLogged = true;
    expect(noteCall(call)).toBe(false);
  });
  expect(note.calls).toEqual([call]);
  expect(noteCall(call)).toBe(false);
});

it("logs an error's kind and cause, and no property that a library added to it", () => {
  const cause = Object.assign(new Error("inner"), { code: "ECONNREFUSED", parameters: ["hush"] });
  const line = logged((log) =>
    log.error({ err: Object.assign(new Error("outer", { cause }), { row: "hush" }) }, "failed"),
  );
  expect(JSON.parse(line)).toMatchObject({
    err: { type: "Error", message: "outer", cause: { message: "inner", code: "ECONNREFUSED" } },
  });
  expect(line).not.toContain("hush");
});
