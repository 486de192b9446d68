import { mount } from "svelte";
import App from "./app/App.svelte";
import { wantedLanguage } from "./app/settings.svelte.ts";
import "./app/theme.css";
import "./app/base.css";
import { speak } from "./words/words.svelte.ts";

/** The words come before the page, so that nobody sees a language they did not choose; English is there in any case. */
async function start(target: HTMLElement): Promise<void> {
  await speak(wantedLanguage()).catch(() => undefined);
  mount(App, { target });
}

const target = document.getElementById("app");
if (target) void start(target);

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined)); // without it the page only needs the network
}
