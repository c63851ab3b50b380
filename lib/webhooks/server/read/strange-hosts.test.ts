import { inWorld, read, upstream } from "@/lib/webhooks/testing/in-world";
import { expect, it } from "vitest";

inWorld({ as: "viewer" });

it.each([
  ["a name of 1,500 letters", `https://${"a".repeat(1_500)}.example/pix`],
  ["a name that is longer in ASCII", `https://${"漢字假名交じり文章".repeat(25)}.example/pix`],
  ["a character that PostgreSQL does not keep", "no address\u0000"],
  ["controls and turned text", "no\r\naddress \u202e\u0007"],
  ["a long text that is no address", "😀".repeat(1_000)],
])(
  "reads %s in place of a callback, and reports it (threat: an outside change that no reading survives)",
  async (_what, callbackUrl) => {
    const listed = (callback_url: string) => {
      const body = JSON.stringify({ webhooks: [{ type: "pix_in", callback_url }] });
      upstream.setPlan({ rules: [{ kind: "list", action: { answer: { status: 200, body } } }] });
    };
    listed("https://hooks.example.com/pix");
    await read();
    listed(callbackUrl);
    const { webhooks, outside } = await read();
    expect(webhooks).toMatchObject([{ type: "pix_in", callbackUrl }]);
    expect(outside).toMatchObject([{ after: { callbackUrl } }]);
  },
);
