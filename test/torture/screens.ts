import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';

export type Screens = {
  all: readonly FeedClient[];
  /** The longest time without an event while a screen was live, over all screens, in milliseconds. */
  longestSilenceMs: () => number;
  /** How many screens say that they are live. */
  live: () => number;
  close: () => void;
};

/** Screens of the staff, spread over the notifiers. Each connects again by itself and goes on after its newest cursor. */
export function openScreens(url: string, { token, count }: { token: string; count: number }): Screens {
  const all = Array.from({ length: count }, () => openFeedClient(url, { token, retryRefused: true }));
  let longestSilenceMs = 0;
  for (const { socket, events, cursors, received } of all) {
    let heardAt = performance.now();
    let isLive = false;
    socket.on('event', () => {
      // 200 screens that keep every event fill the memory, and the pauses of the garbage collector look like late answers.
      for (const kept of [events, cursors, received]) kept.length = 0;
      if (isLive) longestSilenceMs = Math.max(longestSilenceMs, performance.now() - heardAt);
      heardAt = performance.now();
    });
    socket.on('feed', ({ status }: { status: string }) => {
      if (status === 'live' && !isLive) heardAt = performance.now();
      isLive = status === 'live';
    });
    socket.on('disconnect', () => (isLive = false));
  }
  return {
    all,
    longestSilenceMs: () => Math.round(longestSilenceMs),
    live: () => all.filter(({ socket, notices }) => socket.connected && notices.at(-1)?.status === 'live').length,
    close: () => {
      for (const screen of all) screen.close();
    },
  };
}
