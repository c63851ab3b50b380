import { dashboardServers } from "@/lib/cli/dashboard-server";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";

/** A server whose requests open a file each; prints its port. Run with few file descriptors. */
const [server] = await dashboardServers({
  port: 0,
  host: "127.0.0.1",
  url: new URL("http://localhost:3000"),
  trustedProxyHops: 0,
  development: false,
}).listen((_request, response) => {
  try {
    readFileSync("/dev/null");
    response.end("handled");
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
console.log((server?.address() as AddressInfo).port);
