/** Draws the icons as PNG from public/icon.svg, by Chromium (CHROMIUM says where): `node scripts/icons.js`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const drawing = readFileSync("public/icon.svg", "utf8");
const square = drawing.replace(/ rx="\d+"/, ""); // a mask cuts its own corners
const folder = mkdtempSync(join(tmpdir(), "icons-"));

function draw(svg, size, name) {
  const source = join(folder, `${name}.svg`);
  writeFileSync(source, svg);
  execFileSync(process.env.CHROMIUM ?? "chromium", [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--default-background-color=00000000",
    `--window-size=${size},${size}`,
    `--screenshot=${resolve("public", `${name}.png`)}`,
    `file://${source}`,
  ]);
}

draw(drawing, 192, "icon-192");
draw(drawing, 512, "icon-512");
draw(square, 512, "icon-maskable-512");
rmSync(folder, { recursive: true });
