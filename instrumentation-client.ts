import { keepScriptsOurs } from "@/lib/http/trusted-types";

// The framework runs this file before anything else of ours or its own that could load a script.
keepScriptsOurs(window);
