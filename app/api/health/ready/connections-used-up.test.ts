import { GET as getReady } from "./route";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import {
  answerOf,
  change,
  look,
  origin,
  unavailable,
} from "@/lib/platform/http/testing/small-dashboard";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

/** What the server allows this one user, others' programs included. */
const most = 3;

const ready = () => answerOf(getReady);

describe.runIf(process.env["TEST_ENGINE"] === "postgres")(
  "while others use PostgreSQL's connections up, Gancho",
  () => {
    const user = `few_${randomBytes(6).toString("hex")}`;
    let owner: pg.Client;
    let url: string;

    beforeAll(async () => {
      const ownUrl = await migratedDatabaseUrl();
      owner = new pg.Client({ connectionString: ownUrl });
      await owner.connect();
      await owner.query(`create role ${user} login connection limit ${most}`);
      await owner.query(`grant all on all tables in schema public to ${user}`);
      url = Object.assign(new URL(ownUrl), { username: user }).href;
      await configure({
        GANCHO_URL: origin,
        DATABASE_URL: url,
        PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:1",
      });
    });
    afterAll(async () => {
      await db().destroy();
      await owner.query(`drop owned by ${user}`);
      await owner.query(`drop role ${user}`);
      await owner.end();
    });

    /** Others take all; returns how they give them back. */
    async function takeAll(): Promise<() => Promise<void>> {
      const others = Array.from({ length: most }, () => new pg.Client({ connectionString: url }));
      const free = async () => void (await Promise.all(others.splice(0).map((one) => one.end())));
      onTestFinished(free);
      await Promise.all(others.map((one) => one.connect()));
      return free;
    }

    it("answers 503 with Retry-After in time, says that nothing was changed, and heals once they are free", async () => {
      const free = await takeAll();
      for (const answer of await Promise.all([look(), look(), change(), change()])) {
        expect(answer).toMatchObject(unavailable());
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(answer.ms).toBeLessThan(10_000);
      }
      expect(await change()).toMatchObject(unavailable("no"));
      expect(await ready()).toMatchObject({ status: 503, body: { status: "no_database" } });

      await free();
      const freed = performance.now();
      await vi.waitFor(
        async () => {
          expect(await ready()).toMatchObject({ status: 200 });
          expect(await look()).toMatchObject({ status: 200 });
          expect(await change()).toMatchObject({ status: 200 });
        },
        { timeout: 30_000 },
      );
      expect(performance.now() - freed).toBeLessThan(30_000);
    });
  },
);
