import { rmSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pictures } from "./pictures/all.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

const drawn = await pictures();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const [name, picture] of drawn) writeFileSync(join(FOLDER, name), picture);
