import { CallFailure, type Client, type Who } from '@comanda/client/core';
import { computed, effect, type ReadonlySignal, type Signal } from '@preact/signals';

type Following = {
  who: ReadonlySignal<Who | null>;
  isClosed: Signal<boolean>;
  onVisible: () => void;
};

/** How long to wait before tokens are renewed again after a failure, in milliseconds. */
const renewAgainMs = 5000;

/** Follows what happens to the seating of the user on this phone. */
export function followSeating(client: Client, { who, isClosed, ...following }: Following): () => void {
  const seating = computed(() => who.value?.seating);
  /**
   * Checks whether the table is still open. If it was closed while this page was away, the rejected call ends the guest's
   * session.
   */
  const askWhetherOpen = (): void => {
    if (seating.value !== undefined) void client.calls.me().catch(() => {});
  };
  const stopFollowing = effect(() => {
    const own = seating.value;
    if (own === undefined) return undefined;
    const renewal = openRenewal(client);
    // True while events of this seating may be missing. The feed sends none from before it was first live, and none from the
    // time in which it reconnects with the tokens of another table.
    let isMissingEvents = true;
    const feed = client.feed({
      onStanding: ({ status }) => {
        if (status === 'gap') isMissingEvents = true;
        // Renewed tokens contain the current table. A guest whose table was closed gets none.
        if (status !== 'live' || !isMissingEvents) return;
        isMissingEvents = false;
        renewal.start();
      },
      onEvent: ({ type, data }) => {
        if (type === 'seating.closed' && data.seating === own) isClosed.value = true;
        // Staff have moved this seating, or joined it with another one. Renewed tokens contain the new one.
        const hasMoved = type === 'table.changed' && (data.reason === 'moved' || data.reason === 'joined');
        if (hasMoved && data.previous_seating === own) renewal.start();
      },
    });
    return () => {
      feed.close();
      renewal.close();
    };
  });
  askWhetherOpen();
  // A phone may show this page again after days in the background.
  const onVisible = (): void => {
    following.onVisible();
    if (document.visibilityState === 'visible') askWhetherOpen();
  };
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    stopFollowing();
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** Renews the tokens until that succeeds, so that the phone does not show a table which its guests have left. */
function openRenewal(client: Client): { start: () => void; close: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const start = (): void => {
    clearTimeout(timer);
    void client.renewTokens().catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error;
      if (!isClosed) timer = setTimeout(start, renewAgainMs);
    });
  };
  const close = (): void => {
    isClosed = true;
    clearTimeout(timer);
  };
  return { start, close };
}
