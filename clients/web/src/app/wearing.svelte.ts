/** Puts the settings of looks on the document, where the style sheets see them. */
import { settings } from "./settings.svelte.ts";

const contrast = matchMedia("(prefers-contrast: more)");
let wanted = $state(contrast.matches);
contrast.addEventListener("change", () => (wanted = contrast.matches));

export function wearSettings(): void {
  $effect(() => {
    const looks = document.documentElement.dataset;
    looks["theme"] = settings.theme === "auto" && wanted ? "contrast" : settings.theme;
    looks["suits"] = settings.suits;
    looks["motion"] = settings.motion;
  });
}
