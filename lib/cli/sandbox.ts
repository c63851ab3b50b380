import { runProgram } from "./failure";
import { flagsGiven } from "./flags";
import { loadEnvFile } from "./root";

/** `npm run sandbox`: configured like everything else. It shares no code with Gancho's client of the service. */
await runProgram("Sandbox cannot start", async () => {
  flagsGiven();
  loadEnvFile();
  await import("@/lib/sandbox/main");
});
