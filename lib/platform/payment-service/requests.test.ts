import { expect, it } from "vitest";
import { endpoint } from "@/lib/platform/payment-service/requests";

it.each([
  ["https://pay.example", "https://pay.example/api/v1/webhooks"],
  ["https://pay.example:8443/base/", "https://pay.example:8443/base/api/v1/webhooks"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4010/api/v1/webhooks"],
  ["http://[::1]:4010", "http://[::1]:4010/api/v1/webhooks"],
  // Each address that PARTNER_API_ENVIRONMENTS takes.
  ["http://svc.localhost:4010", "http://svc.localhost:4010/api/v1/webhooks"],
  // Threat: secrets sent where they can be read.
  ["http://pay.example", undefined],
  ["http://127.0.0.1.pay.example", undefined],
  ["http://localhost.pay.example", undefined],
  ["https://user@pay.example", undefined],
  ["https://:word@pay.example", undefined],
  ["https://pay.example?a=b", undefined],
  ["https://pay.example#a", undefined],
  ["", undefined],
])("the address of an operation under %j is %j", (baseUrl, address) => {
  expect(endpoint(baseUrl, "/api/v1/webhooks")?.href).toBe(address);
});
