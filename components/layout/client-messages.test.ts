import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";

/** What a source file says about messages, as far as its text shows. */
type Source = {
  isClient: boolean;
  imports: string[];
  draws: string[];
  sends: string[];
  /** Of what it sends, what the pages within it can use. */
  sendsWithin: string[];
};

const namespaces = Object.keys(messagesByLocale.en).join("|");
const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8")
    .replace(/^import type [^]*?;$/gm, "")
    // What a value may be, and what it is taken for, names messages of which others decide.
    .replace(/(?:\bas |: |\| )"[\w.]+"(?=;| \||\))/g, "");
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
  const imported = all(/(?:from |import\()\s*"((?:@|\.\.?)\/[^"]+)"/g).map((specifier) =>
    specifier.startsWith("@/") ? specifier.slice(2) : path.join(path.dirname(file), specifier),
  );
  const names = (pattern: RegExp) =>
    all(pattern)
      .join()
      .match(/(?<=")\w+/g) ?? [];
  const source = {
    isClient: /^["']use client["']/m.test(text),
    imports: imported.flatMap((base) => [`${base}.ts`, `${base}.tsx`].filter(existsSync)),
    // A whole namespace, or a message by its full name.
    draws: text.includes("useTranslations(")
      ? [
          ...all(new RegExp(`useTranslations\\(\\s*["'\`](${namespaces})\\b`, "g")),
          ...all(new RegExp(`["'\`](${namespaces})\\.[\\w$]`, "g")),
        ]
      : [],
    sends: names(/namespaces(?:=\{|: )\[([^\]]*)\]/g),
    sendsWithin: names(
      /namespaces=\{\[([^\]]*)\]\}>(?=(?:(?!<\/ClientMessages>)[^])*\{children\})/g,
    ),
  };
  sources.set(file, source);
  return source;
}

/** All that a page or layout draws in the browser, at once or after a press, and what the server sends it for that. */
function messagesOf(entry: string) {
  const seen = new Map<string, boolean>();
  const queue: [string, boolean][] = [[entry, false]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [file, within] = next;
    const inBrowser = within || sourceOf(file).isClient;
    if (seen.get(file) === true || seen.get(file) === inBrowser) continue;
    seen.set(file, inBrowser);
    for (const imported of sourceOf(file).imports) queue.push([imported, inBrowser]);
  }
  const files = [...seen];
  return {
    drawn: new Set(files.flatMap(([file, inBrowser]) => (inBrowser ? sourceOf(file).draws : []))),
    sent: new Set(files.flatMap(([file]) => (file.startsWith("app/") ? sourceOf(file).sends : []))),
  };
}

const entries = readdirSync("app", { recursive: true, encoding: "utf8" })
  .map((file) => path.join("app", file))
  .filter((file) => /\/(page|layout|error)\.tsx$/.test(file));

function sentAround(entry: string): string[] {
  return entries
    .filter((file) => file !== entry && file.endsWith("/layout.tsx"))
    .filter((file) => entry.startsWith(`${path.dirname(file)}/`))
    .flatMap((file) => sourceOf(file).sendsWithin);
}

/** What a page's parts draw elsewhere only. */
const neverDrawn = new Map([
  // Its history has no entry about webhooks.
  ["app/(console)/account/page.tsx", ["webhooks"]],
  // It says in words of its own why a sign-in failed.
  ["app/(auth)/sign-in/page.tsx", ["problems"]],
]);

it.each(entries)(
  "%s sends the browser the messages that it draws, once, and no others",
  (entry) => {
    const { drawn, sent } = messagesOf(entry);
    const around = sentAround(entry);
    const never = neverDrawn.get(entry) ?? [];
    const there = new Set([...sent, ...around, ...never]);
    expect([...drawn].filter((name) => !there.has(name))).toEqual([]);
    expect([...sent].filter((name) => around.includes(name))).toEqual([]);
    // A layout sends messages for the pages within it.
    if (entry.endsWith("/page.tsx"))
      expect([...sent].filter((name) => !drawn.has(name))).toEqual([]);
  },
);
