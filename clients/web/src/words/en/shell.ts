/** The frame around every screen. */
export const shell = {
  name: "British Constitution",
  /** What the browser's tab says. */
  title: (screen: string): string => `${screen} · British Constitution`,
  screens: {
    play: "Play",
    new: "New game",
    deal: "Deal",
    join: "Join a game",
    watch: "Watch",
    replay: "Replay",
    daily: "Daily challenge",
    boards: "Leaderboards",
    statistics: "Statistics",
    rules: "Rules",
    settings: "Settings",
  },
  menu: "Menu",
  toContent: "To the content",
  toBoard: "To the board",
  loading: "Loading…",
  notFound: "There is no such page.",
  failed: "This page could not be loaded.",
  again: "Try again",
  offline: "This device is offline: the service cannot be reached, and playing has to wait. What you can still open:",
};
