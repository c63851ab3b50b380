import { runProgram } from "./failure";
import { loadEnvFile } from "./root";

/** `npm run sandbox`: configured like everything else. It shares no code with Gancho's client of the service. */
await runProgram("Sandbox cannot start", async () => {
  loadEnvFile();
  await import("@/lib/sandbox/main");
});
