import { Linter } from "eslint";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { afterAll, expect, it } from "vitest";
import { plainTags } from "./plain-tags.mjs";

// With next-intl's own types, since the rule knows its translator by name.
const known = `
  import { useTranslations } from "next-intl";
  declare module "next-intl" {
    interface AppConfig { Messages: { webhooks: { asking: string; card: { edit: string; shownSince: string } } } }
  }
  declare const key: "edit" | "shownSince";
  declare function other(key: string): string;
`;

/** What it says, the call, and the messages with tags that it may draw. */
const cases = [
  ["a message without tags", 'useTranslations("webhooks.card")', 't("edit")', []],
  ["a rich message", "useTranslations()", 't.rich("webhooks.asking")', []],
  ["a message of all", "useTranslations()", 't("webhooks.asking")', ["webhooks.asking"]],
  ["one of a part", 'useTranslations("webhooks")', 't("asking")', ["webhooks.asking"]],
  [
    "a key that may be one",
    'useTranslations("webhooks")',
    "t(`card.${key}`)",
    ["webhooks.card.shownSince"],
  ],
  ["another function", "other", 't("webhooks.asking")', []],
] as const;

const folder = mkdtempSync(path.join(tmpdir(), "plain-tags-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (index: number) => path.join(folder, `${index}.tsx`);
const sourceOf = (translator: string, call: string) =>
  `${known}const t = ${translator}; export const drawn = ${call};`;
cases.forEach(([, translator, call], index) =>
  writeFileSync(fileOf(index), sourceOf(translator, call)),
);
const program = ts.createProgram(
  cases.map((_, index) => fileOf(index)),
  {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: {
      "next-intl": [path.resolve("node_modules/next-intl/dist/types/index.react-client.d.ts")],
    },
    skipLibCheck: true,
    strict: true,
    types: [],
  },
);

it.each(cases.map((each, index) => [...each, index] as const))(
  "knows %s",
  (_, translator, call, found, index) => {
    const config = {
      files: ["**/*.tsx"],
      languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
      plugins: { gancho: { rules: { "plain-tags": plainTags } } },
      rules: { "gancho/plain-tags": "error" },
    } as Linter.Config;
    const source = sourceOf(translator, call);
    const messages = new Linter({ cwd: folder }).verify(source, config, fileOf(index));
    expect(messages.map(({ message }) => message)).toEqual(
      found.map((name) => `“${name}” has tags: draw it by t.rich.`),
    );
  },
);
