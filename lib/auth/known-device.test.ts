import { expect, it, vi } from "vitest";
import { deviceLifeMs, knownDevice, rememberDevice } from "./known-device";

vi.stubEnv("AUTH_SECRET", "0123456789abcdef0123456789abcdef-test");
vi.stubEnv("ENCRYPTION_KEYS", `test:${Buffer.from([...Array(32).keys()]).toString("base64")}`);

const start = 1_800_000_000_000;
const email = "ana@aurora.example";

it("is known for half a year, under a name that is new with each sign-in", () => {
  const [one, other] = [rememberDevice(email, start), rememberDevice(email, start)];
  expect(knownDevice(one, email, start + deviceLifeMs - 1)).toEqual({ id: one.split(".")[0] });
  expect(knownDevice(one, email, start + deviceLifeMs)).toBeNull();
  expect(other).not.toBe(one);
});

it("is of one account only (threat: one's own device as a way to guess at everybody's account)", () => {
  expect(knownDevice(rememberDevice(email, start), "rui@aurora.example", start)).toBeNull();
});

it("cannot be made or made anew each time (threat: a fresh count for every guess)", () => {
  const [id = "", at = "", mac = ""] = rememberDevice(email, start).split(".");
  for (const forged of [
    `x${id}.${at}.${mac}`,
    `${id}.${Number(at) + 1}.${mac}`,
    `${id}.${at}.${mac}.`,
    `${id}.${at}.`,
    `..`,
    "",
    undefined,
  ])
    expect(knownDevice(forged, email, start)).toBeNull();
});
