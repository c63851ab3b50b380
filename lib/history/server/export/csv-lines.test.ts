import { always, anyCharacter } from "@/lib/platform/runtime/testing/thorough";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvCell, csvLine } from "@/lib/history/server/export/csv-lines";

/** RFC 4180, read back. */
function parseLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line.replace(/\r\n$/, "");
  for (;;) {
    const [whole = "", quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/s.exec(rest) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    rest = rest.slice(whole.length);
    if (rest === "") return cells;
    if (!rest.startsWith(",")) throw new Error(`not RFC 4180: ${line}`);
    rest = rest.slice(1);
  }
}

/** As a program reads it that takes these for separators, and quotes only where they begin a cell. */
function splitAt(separators: string, line: string): string[] {
  const cell = new RegExp(
    `(?:^|[${separators}])(?:"((?:[^"]|"")*)(?:"|$))?([^${separators}]*)`,
    "g",
  );
  return Array.from(line.matchAll(cell), ([, quoted = "", rest = ""]) => quoted + rest);
}

it("leaves ordinary text as it is, and quotes what would end a cell", () => {
  expect(csvLine(["Marina Castro", "a,b", 'say "hi"', "two\nlines", "ção 🪝", ""], ",")).toBe(
    'Marina Castro,"a,b","say ""hi""","two\nlines",ção 🪝,\r\n',
  );
});

it.each([
  ["=1+1", "'=1+1"],
  ["\t=1", "\"'\t'=1\""],
  ["\r=1", "\"'\r'=1\""],
  ["\n=1", '"\n\'=1"'],
  ["\0=1", "\0'=1"],
  ["\u001b\u0007＝1", "\u001b\u0007'＝1"],
  ["\ufeff\u200b=1", "\ufeff\u200b'=1"],
  ["a\n\0=1", '"a\n\0\'=1"'],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['=HYPERLINK("https://evil.example","ok")', '"\'=HYPERLINK(""https://evil.example"",""ok"")"'],
])("makes %j harmless (threat: a formula that runs when the file is opened)", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

it("makes a formula harmless that begins after a comma or semicolon (threat: programs that split there)", () => {
  expect(csvCell("Ana,=1+1")).toBe('"Ana,\'=1+1"');
  expect(csvCell("https://a.example/x,@SUM(A1:A9),")).toBe('"https://a.example/x,\'@SUM(A1:A9),"');
  expect(csvCell("Ana;=1+1")).toBe('"Ana;\'=1+1"');
  expect(csvCell("Ana\n-1")).toBe('"Ana\n\'-1"');
  expect(csvCell('Ana;"=HYPERLINK(A1);x')).toBe('"Ana;""\'=HYPERLINK(A1);x"');
});

it("leaves signs alone that do not begin a cell", () => {
  const url = "https://hooks.example.com/a=b?c=d+e-f@g";
  expect(csvCell(url)).toBe(url);
});

it("takes linear time for a text of formula starts alone (threat: an export that keeps the server busy)", () => {
  const beginnings = "\t\0".repeat(200_000);
  expect(csvCell(`a${beginnings}=`).endsWith("'=\"")).toBe(true);
});

describe("any text", () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(..."=+-@＝＋－＠\t\r\n\0\u200b;,\"' a") }),
  );

  it("is read back as one cell, apart from inserted apostrophes", () => {
    always(2_000, fc.array(text, { minLength: 1 }), (cells) => {
      const read = parseLine(csvLine(cells, ","));
      expect(read.map((cell) => cell.replaceAll("'", ""))).toEqual(
        cells.map((cell) => cell.replaceAll("'", "")),
      );
    });
  });

  it("never begins a formula, however a program splits it and whatever invisible characters it drops", () => {
    always(2_000, text, (cell) => {
      const [read = ""] = parseLine(csvLine([cell], ","));
      const lines = ([",", ";"] as const).map((by) => csvLine(["first", cell, "last"], by));
      for (const piece of [
        ...read.split(/[,;\t\r\n]/),
        ...[",\\r\\n", ";\\r\\n", "\\t\\r\\n", ";\\t\\r\\n"].flatMap((separators) =>
          lines.flatMap((line) => splitAt(separators, line)),
        ),
      ])
        expect(piece.replace(/[\p{Cc}\p{Cf}]/gu, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
      expect(read).not.toMatch(/^[\t\r]/);
    });
  });
});
