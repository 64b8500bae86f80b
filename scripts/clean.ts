import { rmSync } from "node:fs";

// A file that the sources no longer have must not stay in what is packed.
for (const folder of process.argv.slice(2)) rmSync(folder, { recursive: true, force: true });
