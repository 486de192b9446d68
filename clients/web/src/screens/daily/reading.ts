/** Reads a day, waiting for it while its deal is being prepared. */
import { pause } from "../../app/pause.ts";
import { api } from "../../app/player.svelte.ts";
import { Problem, type Daily } from "../../sdk/index.ts";

interface Reading {
  signal: AbortSignal;
  /** Told each time that the day is not ready yet. */
  preparing: () => void;
}

export async function readDay(date: string, rules: string, { signal, preparing }: Reading): Promise<Daily> {
  for (;;) {
    try {
      return await api.readDaily({ date, rules }, undefined, { signal });
    } catch (error) {
      if (!(error instanceof Problem && error.code === "day_not_ready")) throw error;
      preparing();
      await pause((error.retryAfter ?? 2) * 1000, signal);
    }
  }
}
