import { runProgram } from "./failure";
import { loadEnvFile } from "./root";

/** `npm run sandbox`: configured like everything else. The sandbox itself knows nothing of Gancho's code. */
await runProgram("Sandbox cannot start", async () => {
  loadEnvFile();
  await import("@/lib/sandbox/main");
});
