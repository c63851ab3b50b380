import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import path from "node:path";
import { request } from "undici";
import { expect, it } from "vitest";
import { withInlineStyles } from "./inline-styles";

const styles = "@font-face{src:url(../media/sans.woff2)}h1{color:red}";
const link = (file: string) =>
  `<link rel="stylesheet" href="/_next/static/chunks/${file}" nonce="a+b/c==" data-precedence="next"/>`;
const page = (file: string) => `<html><head>${link(file)}</head><body>Olá</body></html>`;

const folder = newFolder();
const chunks = path.join(folder, "static/chunks");
mkdirSync(chunks, { recursive: true });
writeFileSync(path.join(chunks, "0abc.css"), styles);
writeFileSync(path.join(chunks, "0end.css"), "a{content:'</style>'}");

async function answerOf(pages: RequestListener): Promise<string> {
  const port = await listenHere(createServer(withInlineStyles(folder, pages)));
  const { body } = await request(`http://127.0.0.1:${port}/`);
  return body.text();
}

/** As the framework does: `write` is replaced by one that compresses, or, here, that calls the one before. */
function sent(html: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const before = response.write.bind(response);
    response.write = ((part: Uint8Array) => before(part)) as typeof response.write;
    response.write(Buffer.from(html));
    response.end();
  };
}

it("inlines the styles, with the page's nonce and addresses from the root", async () => {
  const html = await answerOf(sent(page("0abc.css")));
  expect(html).toBe(
    page("0abc.css").replace(
      link("0abc.css"),
      `<style nonce="a+b/c==">@font-face{src:url(/_next/static/media/sans.woff2)}h1{color:red}</style>${link("0abc.css").replace("/>", ' media="not all" disabled=""/>')}`,
    ),
  );
});

it.each([
  ["a file that the build does not have", page("gone.css"), {}],
  ["a file outside of the build", page("..%2f..%2f0abc.css"), {}],
  ["styles that would end the element (threat: markup out of a file)", page("0end.css"), {}],
  [
    "an answer whose length is set",
    page("0abc.css"),
    { "content-length": String(Buffer.byteLength(page("0abc.css"))) },
  ],
  ["an answer that is no page", page("0abc.css"), { "content-type": "text/plain" }],
])("leaves %s as it is", async (_what, html, headers) => {
  expect(await answerOf(sent(html, headers))).toBe(html);
});

it("has a page that failed say so without scripts, which the framework's own does not, in both languages", async () => {
  const failing: RequestListener = (request, response) => {
    response.statusCode = 500;
    sent(page("gone.css"), { "x-request-id": "0123456789abcdef" })(request, response);
  };
  expect(await answerOf(failing)).toMatch(
    /<body><noscript><p>The dashboard failed to answer\..*\(0123456789abcdef\)<\/p><p lang="pt-BR">O painel não conseguiu responder\..*<\/noscript>Olá/,
  );
});
