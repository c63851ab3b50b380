import { env } from "@/lib/platform/env/env";
import {
  recordViolation,
  takeReport,
  violationSchema,
} from "@/lib/platform/http/policy-violations";
import { report, routes } from "@/lib/platform/http/route";

/** Browsers report these by themselves, signed in or not; the report changes nothing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("policy_violations", {
  POST: report({
    access: takeReport,
    body: () => violationSchema,
    handle: ({ body, requestId }) => {
      recordViolation(body, { origin: env().url.origin, requestId });
      return new Response(null, { status: 204 });
    },
  }),
});
