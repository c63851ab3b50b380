import { restrictScripts } from "@/lib/platform/http/client/trusted-types";

// The framework runs this file before anything else of ours or its own that could load a script.
restrictScripts(window);
