import { restrictScripts } from "@/lib/platform/http/client/trusted-types";

// The framework runs this file before any other code that could load a script.
restrictScripts(window);
