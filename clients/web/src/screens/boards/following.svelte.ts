/** Whom one follows; rows of anybody can be followed from a board. */
import { api, beSomebody, player } from "../../app/player.svelte.ts";

let followed = $state.raw<readonly string[]>([]);

export const following = {
  has: (id: string): boolean => followed.includes(id),
};

/** Asks the service anew. Nobody follows nobody. */
export async function readFollowing(): Promise<void> {
  const { players } = player.identity ? await api.listFollowing() : { players: [] };
  followed = players.map(({ id }) => id);
}

/** Follows a player, or follows them no more; says which. */
export async function toggleFollowing(id: string): Promise<boolean> {
  await beSomebody();
  const isWanted = !followed.includes(id);
  await (isWanted ? api.follow({ player: id }) : api.unfollow({ player: id }));
  const others = followed.filter((one) => one !== id);
  followed = isWanted ? [...others, id] : others;
  return isWanted;
}
