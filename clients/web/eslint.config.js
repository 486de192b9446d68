import svelte from "eslint-plugin-svelte";
import globals from "globals";
import typescript from "typescript-eslint";
import config from "./svelte.config.js";

export default typescript.config(
  { ignores: ["node_modules/", "**/*.gen.ts"] },
  typescript.configs.strict,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ["scripts/**", "*.js", "*.ts"], languageOptions: { globals: { ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig: config } },
  },
  { rules: { "svelte/no-navigation-without-resolve": "off" } }, // a rule of SvelteKit's router
);
