import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";

/** What a source file says about messages, as far as its text shows. */
type Source = {
  /** It begins with "use client", so all that it imports is for the browser, too. */
  isClient: boolean;
  imports: string[];
  /** The namespaces whose messages it draws. */
  draws: string[];
  /** The namespaces that it has the browser sent, and of them those that the pages within it can use. */
  sends: string[];
  sendsWithin: string[];
  names: Set<string>;
};

const namespaces = Object.keys(messagesByLocale.en);

/** It lists every form's messages, and draws those of the form that uses it. */
const drawsNothing = ["components/forms/use-field-error.ts"];

/** What a file draws only for importers that use this part of it. */
const drawsWith = new Map([["components/forms/password-field.tsx", "CheckedPasswordField"]]);

/** What is drawn only where a layout itself draws it: the module that fetches it also serves other banners. */
const comesWith = new Map([["components/support/support-banner.tsx", "SupportBanner"]]);

/** Words for history entries that this page never has. */
const neverDrawn = new Map([["app/(console)/account/page.tsx", "webhooks"]]);

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8");
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const source: Source = {
    isClient: /^["']use client["']/m.test(text),
    imports: [],
    draws: [],
    sends: [],
    sendsWithin: [],
    names: new Set(),
  };
  const mayDraw = text.includes("useTranslations") && !drawsNothing.includes(file);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      if (isOfTypes(node)) return;
      add(node.moduleSpecifier);
    }
    if (ts.isIdentifier(node)) source.names.add(node.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    const [head, rest] = textOf(node)?.split(/\.(.*)/s) ?? [];
    if (head !== undefined && namespaces.includes(head)) {
      // A whole namespace, or a message by its full name; the namespace's word alone may mean anything.
      if (mayDraw && (rest !== undefined || isWithin(node, "useTranslations")))
        source.draws.push(head);
      const provider = providerOf(node);
      if (provider) source.sends.push(head);
      if (provider?.getText().includes("{children}")) source.sendsWithin.push(head);
    }
    ts.forEachChild(node, visit);
  };
  const add = (specifier: ts.Node | undefined) => {
    const found = specifier && ts.isStringLiteral(specifier) && resolve(file, specifier.text);
    if (found) source.imports.push(found);
  };
  visit(parsed);
  sources.set(file, source);
  return source;
}

function isOfTypes(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || !node.moduleSpecifier;
  const clause = node.importClause;
  const named = clause?.namedBindings;
  return (
    clause?.isTypeOnly === true ||
    (named !== undefined &&
      ts.isNamedImports(named) &&
      !clause?.name &&
      named.elements.every(({ isTypeOnly }) => isTypeOnly))
  );
}

/** What is certain of a literal text, or of the literal beginning of one. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : undefined;
}

function isWithin(node: ts.Node, callee: string): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent)
    if (ts.isCallExpression(at)) return at.expression.getText() === callee;
  return false;
}

/**
 * The call or element that passes the namespace on, where it is in the list of a `ClientMessages` or of `pickMessages`.
 */
function providerOf({ parent }: ts.Node): ts.JsxElement | undefined {
  if (!ts.isArrayLiteralExpression(parent)) return undefined;
  const isList =
    ts.isCallExpression(parent.parent) && parent.parent.expression.getText() === "pickMessages";
  const attribute = ts.findAncestor(parent, ts.isJsxAttribute);
  if (!attribute || (!isList && attribute.name.getText() !== "namespaces")) return undefined;
  return ts.findAncestor(attribute, ts.isJsxElement);
}

function resolve(from: string, specifier: string): string | undefined {
  const base = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? path.join(path.dirname(from), specifier)
      : undefined;
  if (base === undefined) return undefined;
  return [base, `${base}.ts`, `${base}.tsx`].find(
    (file) => /\.tsx?$/.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

/** What the browser draws of a page or layout, at once or after a click, and what the server sends it for that. */
function messagesOf(entry: string) {
  const seen = new Map<string, boolean>();
  const queue: [string, boolean][] = [[entry, false]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [file, within] = next;
    const source = sourceOf(file);
    const asked = comesWith.get(file);
    if (asked !== undefined && !sourceOf(entry).names.has(asked)) continue;
    const inBrowser = within || source.isClient;
    if (seen.get(file) === true || seen.get(file) === inBrowser) continue;
    seen.set(file, inBrowser);
    for (const imported of source.imports) queue.push([imported, inBrowser]);
  }
  const drawn = new Set<string>();
  const sent = new Set<string>();
  for (const [file, inBrowser] of seen) {
    const { draws, sends } = sourceOf(file);
    if (file.startsWith("app/")) for (const name of sends) sent.add(name);
    const part = drawsWith.get(file);
    const isUsed =
      part === undefined ||
      [...seen.keys()].some((other) => other !== file && sourceOf(other).names.has(part));
    if (inBrowser && isUsed) for (const name of draws) drawn.add(name);
  }
  return { drawn, sent };
}

/** Pages, layouts and the fallbacks for a page that failed. */
const entries = readdirSync("app", { recursive: true, encoding: "utf8" })
  .map((file) => path.join("app", file))
  .filter((file) => /\/(page|layout|error)\.tsx$/.test(file))
  .sort();

/** The layouts around it send it, and not the page itself. */
function sentAround(entry: string): Set<string> {
  const around = entries.filter(
    (file) =>
      file !== entry &&
      file.endsWith("/layout.tsx") &&
      `${path.dirname(entry)}/`.startsWith(`${path.dirname(file)}/`),
  );
  return new Set(around.flatMap((file) => sourceOf(file).sendsWithin));
}

test.each(entries)(
  "%s sends the browser the messages that it draws, once, and no others",
  (entry) => {
    const { drawn, sent } = messagesOf(entry);
    const around = sentAround(entry);
    drawn.delete(neverDrawn.get(entry) ?? "");
    expect([...drawn].filter((name) => !sent.has(name) && !around.has(name))).toEqual([]);
    expect([...sent].filter((name) => around.has(name))).toEqual([]);
    // A layout sends messages for the pages within it.
    if (entry.endsWith("/page.tsx"))
      expect([...sent].filter((name) => !drawn.has(name))).toEqual([]);
  },
);
