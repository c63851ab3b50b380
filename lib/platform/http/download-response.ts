import "server-only";

/** A download, streamed while it is generated. */
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
