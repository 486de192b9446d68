/** The files of a build. */
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Their names below a folder, with `/` between the parts, sorted; without those that are another's packed form. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
