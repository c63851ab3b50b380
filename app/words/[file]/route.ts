import { ProblemError } from "@/lib/platform/http/model/problem";
import { read, routes } from "@/lib/platform/http/route";
import { wordsFileAt } from "@/lib/platform/i18n/words-file";

/** The messages of a language, which a page names and the browser keeps. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("words", {
  GET: read<{ file: string }, undefined>({
    access: async () => undefined,
    handle: async ({ params }) => {
      const file = wordsFileAt(params.file);
      if (!file) throw new ProblemError("not_found");
      return new Response(file.json, {
        headers: {
          "content-type": "application/json",
          "cache-control": file.isAsNamed ? "public, max-age=31536000, immutable" : "no-store",
        },
      });
    },
  }),
});
