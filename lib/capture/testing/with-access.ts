import {
  readArrivalBody as readArrivalBodyWith,
  readCaptures as readCapturesWith,
  switchCapture as switchCaptureWith,
} from "@/lib/capture/server/captures";
import { inPartner } from "@/lib/platform/access/testing/asking";

/** A person's actions, with the access check that their route makes. */
export const readCaptures = inPartner("webhooks.read", readCapturesWith);
export const readArrivalBody = inPartner("webhooks.read", readArrivalBodyWith);
export const switchCapture = inPartner("capture.write", switchCaptureWith);
