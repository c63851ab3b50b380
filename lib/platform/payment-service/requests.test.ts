import { describe, expect, it } from "vitest";
import { endpoint } from "@/lib/platform/payment-service/requests";

describe("the address of an operation", () => {
  it.each([
    ["https://pay.example", "https://pay.example/api/v1/webhooks"],
    ["https://pay.example:8443/base/", "https://pay.example:8443/base/api/v1/webhooks"],
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010/api/v1/webhooks"],
    ["http://[::1]:4010", "http://[::1]:4010/api/v1/webhooks"],
  ])("under %s is %s", (baseUrl, address) => {
    expect(endpoint(baseUrl, "/api/v1/webhooks")?.href).toBe(address);
  });

  it.each([
    "http://pay.example",
    "http://127.0.0.1.pay.example",
    "http://localhost.pay.example",
    "https://user@pay.example",
    "https://:word@pay.example",
    "https://pay.example?a=b",
    "https://pay.example#a",
    "",
  ])("does not exist under %j (threat: secrets sent where they can be read)", (baseUrl) => {
    expect(endpoint(baseUrl, "/api/v1/webhooks")).toBeNull();
  });
});
