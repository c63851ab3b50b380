import { env } from "@/lib/platform/env/env";
import { imageNames } from "@/lib/platform/env/brand-images";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { read, routes } from "@/lib/platform/http/route";

/** The operator's pictures: the start has checked that they contain nothing that runs. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("brand", {
  GET: read<{ image: string }, undefined>({
    access: async () => undefined,
    handle: async ({ params }) => {
      const name = imageNames.find((one) => one === params.image);
      const image = name && env().brand.images[name];
      if (!image) throw new ProblemError("not_found");
      return new Response(image.bytes, {
        headers: {
          "content-type": image.type,
          // Pages name the picture with its version.
          "cache-control": "public, max-age=31536000, immutable",
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
      });
    },
  }),
});
