import { read, routes } from "@/lib/platform/http/route";
import { ProblemError } from "@/lib/platform/http/model/problem";

/** An unknown path gets the same answer as a resource that the person may not see. */
const missing = read({
  access: async () => undefined,
  handle: () => Promise.reject(new ProblemError("not_found")),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("unknown", {
  GET: missing,
  HEAD: missing,
  POST: missing,
  PUT: missing,
  PATCH: missing,
  DELETE: missing,
  OPTIONS: missing,
});
