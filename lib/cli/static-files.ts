import { headersEverywhere } from "@/lib/platform/http/headers-everywhere.mjs";
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import sirv from "sirv";

const prefix = "/_next/static";
const compressible = /\.(js|css|svg|json|txt)$/;

/** Writes a compressed copy beside each file of the build, at the best level: too slow to do for each request. */
export async function compressStaticFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => compressible.test(file))
    .map((file) => path.join(folder, file));
  await Promise.all(
    files.map(async (file) => {
      const whole = await readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: whole.length };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(whole, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(whole, { level: 9 }));
    }),
  );
}

/** Serves the files of the build, whose names change with their content; `otherwise` handles everything else. */
export function withStaticFiles(folder: string, otherwise: RequestListener): RequestListener {
  const serve = sirv(folder, {
    // Browsers keep it for good and never request it again: it needs no ETag, and would repeat the id of one request
    // to others.
    brotli: true,
    gzip: true,
    etag: false,
    maxAge: 31_536_000,
    immutable: true,
    setHeaders: (response) => {
      response.removeHeader("x-request-id");
      for (const [name, value] of Object.entries(headersEverywhere))
        response.setHeader(name, value);
    },
  });
  return (request, response) => {
    const { url = "" } = request;
    if (!url.startsWith(`${prefix}/`)) return otherwise(request, response);
    request.url = url.slice(prefix.length);
    serve(request, response, () => {
      request.url = url;
      otherwise(request, response);
    });
  };
}
