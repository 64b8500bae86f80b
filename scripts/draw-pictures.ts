import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pictures } from "./pictures.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

for (const [name, picture] of pictures()) writeFileSync(join(FOLDER, name), picture);
