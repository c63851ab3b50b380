import "server-only";

/** A file for the browser to keep, as it is being made. */
export function downloadResponse({
  body,
  contentType,
  fileName,
}: {
  body: ReadableStream<Uint8Array>;
  contentType: string;
  fileName: string;
}): Response {
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
}
