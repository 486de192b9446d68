/** The screens by name. The board is there from the start; the others are loaded when they are first gone to. */
import type { Component } from "svelte";
import PlayScreen from "../screens/play/PlayScreen.svelte";
import type { Screen } from "./router.svelte.ts";

export type ScreenComponent = Component<{ params: Record<string, string> }>;
interface Module {
  default: ScreenComponent;
}

const lazy = import.meta.glob<Module>(["../screens/*/*Screen.svelte", "!../screens/play/*"]);

/** What shows a screen, or the promise of it. */
export function componentOf(screen: Screen): ScreenComponent | Promise<ScreenComponent> {
  if (screen === "play") return PlayScreen;
  const file = `../screens/${screen}/${screen.charAt(0).toUpperCase()}${screen.slice(1)}Screen.svelte`;
  return lazy[file]?.().then((module) => module.default) ?? Promise.reject(new Error(file));
}
