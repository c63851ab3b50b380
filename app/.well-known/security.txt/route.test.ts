import { forgetProcessWide } from "@/lib/platform/runtime/testing/new-process";
import { randomBytes } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.unstubAllEnvs();
  forgetProcessWide();
});

async function ask(set: Record<string, string>) {
  for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value);
  const { GET } = await import("./route");
  const request = new Request("https://gancho.example.com/.well-known/security.txt");
  return GET(request, { params: Promise.resolve({}) });
}

const keys = {
  AUTH_SECRET: randomBytes(32).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};

it("contains the contact, its expiry, the languages and its own URL", async () => {
  const response = await ask({
    ...keys,
    GANCHO_URL: "https://gancho.example.com",
    SECURITY_CONTACT: "mailto:security@example.com",
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = Object.fromEntries(
    (await response.text())
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  ) as Record<string, string>;
  expect(fields).toEqual({
    Contact: "mailto:security@example.com",
    Expires: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
    "Preferred-Languages": "en, pt",
    Canonical: "https://gancho.example.com/.well-known/security.txt",
  });
  const days = (Date.parse(fields["Expires"] ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
});

it("leaves out its own URL if that is not https", async () => {
  const response = await ask({
    ...keys,
    GANCHO_URL: "http://localhost:3000",
    SECURITY_CONTACT: "https://example.com/security",
  });
  const text = await response.text();
  expect(text).toContain("Contact: https://example.com/security\n");
  expect(text).not.toContain("Canonical");
});

it("does not exist if the operator set no contact", async () => {
  const response = await ask({ ...keys, SECURITY_CONTACT: "" });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "not_found" });
});
