import { readFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import path from "node:path";
import { withWords } from "./words-without-scripts";

/** As the framework writes it into the head of a page. */
const stylesheet =
  /<link rel="stylesheet" href="\/_next\/(static\/chunks\/[\w.~-]+\.css)" nonce="([\w+/=]+)" data-precedence="next"\/>/g;

/**
 * A page that contains its styles can be painted when it arrives; otherwise the browser requests a file, and paints
 * nothing until that is there too. The framework can do so as well (`inlineCss`), but omits the nonce that our policy
 * requires, and sends everything twice.
 *
 * `folder`: of the build. A style sheet that does not look as expected stays a link, which is correct and slower.
 */
export function withInlineStyles(folder: string, pages: RequestListener): RequestListener {
  const known = new Map<string, string | null>();
  const stylesOf = (file: string) => {
    if (!known.has(file)) known.set(file, readStyles(folder, file));
    return known.get(file);
  };
  const inline = (html: string) =>
    html.replace(stylesheet, (link: string, file: string, nonce: string) => {
      const styles = stylesOf(file);
      if (typeof styles !== "string") return link;
      // React searches for the link, and would otherwise fetch the file when it hydrates. Chromium looks ahead for files
      // before it parses, and there only the media type keeps it from fetching this one.
      const inert = link.replace("/>", ' media="not all" disabled=""/>');
      return `<style nonce="${nonce}">${styles}</style>${inert}`;
    });
  return (request, response) => {
    changeFirstPart(response, (html) => withWords(response, inline(html)));
    pages(request, response);
  };
}

function readStyles(folder: string, file: string): string | null {
  try {
    const styles = readFileSync(path.join(folder, file), "latin1");
    // URLs in them are relative to the file.
    return styles.includes("</") ? null : styles.replaceAll("url(../", "url(/_next/static/");
  } catch {
    return null;
  }
}

/**
 * Changes the first write of a streamed page, which contains its head. The framework replaces the response's `write`
 * with one that compresses, so the change has to happen before that.
 */
function changeFirstPart(response: ServerResponse, change: (html: string) => string): void {
  let write = response.write;
  const own = (theirs: ServerResponse["write"]) => {
    let isFirst = true;
    return function (this: ServerResponse, part: unknown, ...rest: unknown[]) {
      const changed = isFirst && isPage(response) ? changedPart(part, change) : part;
      isFirst = false;
      return Reflect.apply(theirs, this, [changed, ...rest]) as boolean;
    };
  };
  Object.defineProperty(response, "write", {
    configurable: true,
    get: () => write,
    set: (theirs: ServerResponse["write"]) => {
      write = own(theirs);
    },
  });
}

/** A response with a known length cannot be changed any more. */
function isPage(response: ServerResponse): boolean {
  const type = String(response.getHeader("content-type") ?? "");
  return type.startsWith("text/html") && !response.hasHeader("content-length");
}

function changedPart(part: unknown, change: (html: string) => string): unknown {
  if (!(part instanceof Uint8Array)) return part;
  // A chunk may end within a character, so both are handled as bytes.
  return Buffer.from(change(Buffer.from(part).toString("latin1")), "latin1");
}
