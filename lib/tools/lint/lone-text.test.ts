import { Linter } from "eslint";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { afterAll, expect, it } from "vitest";
import { loneText } from "./lone-text.mjs";

const known = `
  declare global {
    namespace JSX { interface Element { type: string } interface IntrinsicElements { [name: string]: object } }
  }
  type ReactNode = JSX.Element | string | number | Iterable<ReactNode> | boolean | null | undefined;
  declare const t: { (key: string): string; rich(key: string): ReactNode };
  declare function Sentences(props: { of: readonly ReactNode[] }): JSX.Element;
  declare const count: number, shown: boolean, children: ReactNode, icon: JSX.Element | null, items: JSX.Element[];
`;

const part = (jsx: string) => `const part = ${jsx};`;

/** What it says, the source, and what the rule finds there. */
const cases = [
  ["a text that is all of its element", part('<p>{shown ? t("a") : null}</p>'), []],
  ["elements, some of which come and go", part("<p>{icon}{items}{shown ? <b /> : null}</p>"), []],
  ["a space between elements that stay", part("<p><b /> <i>{count}</i></p>"), []],
  ["sentences", part('<p><Sentences of={[t.rich("a"), shown ? t("b") : null]} /></p>'), []],
  ["written text beside another", part("<p>Wait {shown ? <b /> : null}</p>"), ["beside"]],
  ["a message beside another", part('<p>{icon}{t("a")}</p>'), ["beside"]],
  ["a number beside another", part("<p><b />{count}</p>"), ["beside"]],
  ["what may be text beside another", part("<p>{icon}{children}</p>"), ["beside"]],
  ["a space beside what comes and goes", part("<p>{icon} <b /></p>"), ["beside"]],
  ["text in no element", part('<>{t("a")}</>'), ["beside"]],
  ["a rich message", part('<p>{t.rich("a")}</p>'), ["rich"]],
  ["a component of text", 'function Part() { return shown ? t("a") : icon; }', ["returned"]],
  ["a component of its children", "function Part({ children }) { return children; }", []],
  ["a function of text", 'function words() { return t("a"); }', []],
] as const;

const folder = mkdtempSync(path.join(tmpdir(), "lone-text-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (index: number) => path.join(folder, `${index}.tsx`);
const sourceOf = (source: string) => `export {};${known}${source}`;
cases.forEach(([, source], index) => writeFileSync(fileOf(index), sourceOf(source)));
const program = ts.createProgram(
  cases.map((_, index) => fileOf(index)),
  {
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    types: [],
  },
);

it.each(cases.map((each, index) => [...each, index] as const))(
  "knows %s",
  (_, source, found, index) => {
    const config = {
      files: ["**/*.tsx"],
      languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
      plugins: { gancho: { rules: { "lone-text": loneText } } },
      rules: { "gancho/lone-text": "error" },
    } as Linter.Config;
    const messages = new Linter({ cwd: folder }).verify(sourceOf(source), config, fileOf(index));
    expect(messages.map(({ messageId, message }) => messageId ?? message)).toEqual(found);
  },
);
