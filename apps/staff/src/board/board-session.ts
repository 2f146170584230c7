import type { Client, FeedState } from '@comanda/client/core';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { isCutOff } from '@comanda/ui/feed-state.ts';
import { createBumpQueue } from '../bumps/bump-queue.ts';
import type { CategoryLimits } from '../bumps/station-rules.ts';
import type { Device } from '../device/device.ts';
import { openStationSettings } from '../device/station-settings.ts';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { openAlerts } from './alerts.ts';
import { openBoardFeed } from './board-feed.ts';
import { openBoardNotice } from './board-notice.ts';
import { createBoard } from './board.ts';
import type { BoardCard } from './card.ts';
import type { CancelDeps } from './cancel-requests.ts';
import { createDoneBumps } from './done-bumps.ts';
import type { openLateSettings } from './late-settings.ts';
import { openReadAllergies } from './read-allergies.ts';

/** What to print: one ticket, or the whole board. */
type Printing = { kind: 'ticket' | 'board'; cards: readonly BoardCard[] };
export type BoardSession = ReturnType<typeof openBoardSession>;

/** A kitchen screen's session: its feed, board, bumps, sounds, and reports of seen orders. */
export function openBoardSession(client: Client, device: Device, unsent: UnsentList) {
  const userId = client.who()?.userId ?? 0;
  const { notice, show: showNotice } = openBoardNotice(userId);
  const feed = openBoardFeed(client);
  const { feedState, isLoaded } = feed.list;
  const done = createDoneBumps();
  const stationSettings = openStationSettings(client, device.settings);
  const queue = createBumpQueue({
    client,
    userId,
    unsent,
    kind: 'bump',
    onDropped: (dropped) => {
      done.remove(dropped.bump);
      showNotice(dropped);
    },
  });
  const reads = openReadAllergies({ client, unsent });
  const late = openLate({ client, onFailed: showNotice });
  const alerts = openAlerts({ sounds: device.sounds, feedState });
  const isSignedIn = (): boolean => client.who() !== null;
  const board = createBoard({
    list: feed.list,
    isSignedIn,
    onOthersChange: alerts.tell,
    queue,
    done,
    station: device.settings.station,
    rules: stationSettings.rules,
    categoryLimits: late.categoryLimits,
    isLive: computed(() => !isCutOff(feedState.value) && feedState.value.kind !== 'connecting'),
    cancellations: feed.cancellations,
    newId: client.newKey,
    reportAllergiesRead: reads.tell,
    now: () => feed.now.peek(),
  });
  const seen = client.seenReporter({
    get device() {
      return device.name.peek();
    },
  });
  const closeReports = openReports({ client, device, feedState });
  const stopFollowing = follow({ client, device, feed, queue, reads, seen, stationSettings });
  return {
    /** The dependencies of a ticket's back, whose script is loaded after the board. */
    cancelDeps: {
      client,
      isManager: () => client.who()?.role === 'manager',
      versionOf: board.versionOf,
      onFailed: showNotice,
    } satisfies CancelDeps,
    board,
    /** Returns false after the sign-in has ended. The tickets then stay on the screen, but can't be changed. */
    isSignedIn,
    device,
    stationSettings,
    done,
    waiting: queue.waiting,
    /** The message about an action that failed; null once someone has closed it. */
    notice,
    closeNotice: (): void => showNotice(null),
    feedState,
    now: feed.now,
    clockOffsetMs: feed.clockOffsetMs,
    isRead: isLoaded,
    knownAtMs: feed.knownAtMs,
    isQuiet: computed(() => isQuiet({ feed, board, queue, done })),
    /** When guests can order again, as an ISO time; null if they can order now. */
    pausedUntil: late.pausedUntil,
    /** The menu's entry for a busy kitchen; null until it is loaded. */
    busyEntry: late.busyEntry,
    untouched: alerts.untouched,
    announcement: alerts.announcement,
    touch: alerts.touch,
    ...createPrintout(),
    retry: queue.retry,
    ...createPaintReports({ client, board, seen }),
    close: (): void => {
      closeReports();
      late.close();
      stopFollowing();
      for (const opened of [stationSettings, seen, board, alerts, queue, reads, feed]) opened.close();
    },
  };
}

type Painted = Pick<Followed, 'client' | 'seen'> & { board: ReturnType<typeof createBoard> };
function createPaintReports({ client, board, seen }: Painted) {
  return {
    /** Reports the orders that the page shows now, by their ids. */
    reportPainted: (ids: readonly number[]): void => {
      if (client.who() === null) return;
      for (const id of ids) {
        const stations = board.reportedAt(id);
        if (stations?.length !== 0) seen.painted([id], stations);
      }
    },
  };
}

function createPrintout() {
  const printout = signal<Printing | null>(null);
  return {
    /** What is being printed; null if nothing is. */
    printout,
    print: (next: Printing): void => void (printout.value = next),
  };
}

/**
 * Opens the reports about this screen's state, whose script is loaded later. If it can't be loaded, managers see this screen as
 * off. Returns a function that stops the reports.
 */
function openReports(deps: { client: Client; device: Device; feedState: ReadonlySignal<FeedState> }): () => void {
  const reports = import('./screen-reports.ts').then(
    ({ openScreenReports }) => openScreenReports(deps),
    () => null,
  );
  return () => void reports.then((opened) => opened?.close());
}

type Work = Pick<Followed, 'feed' | 'queue'> & Pick<Painted, 'board'> & { done: ReturnType<typeof createDoneBumps> };
/** Returns true if the page may be reloaded: there are no tickets, no unsent bumps, and nothing to undo. */
const isQuiet = ({ feed, board, queue, done }: Work): boolean =>
  feed.list.isLoaded.value &&
  board.cards.value.length === 0 &&
  queue.waiting.value.length === 0 &&
  (done.undoable.value?.untilMs ?? 0) < feed.now.value;

const noLimits: CategoryLimits = { limits: [], categoryOf: {} };
/** Opens what is not in the first load: until when guests can't order, and when the dishes of a category are late. */
function openLate(deps: Parameters<typeof openLateSettings>[0]) {
  const opened = signal<ReturnType<typeof openLateSettings> | null>(null);
  const opening = import('./late-settings.ts').then(
    (late) => (opened.value = late.openLateSettings(deps)),
    () => null,
  );
  return {
    pausedUntil: computed(() => opened.value?.pausedUntil.value ?? null),
    categoryLimits: computed(() => opened.value?.categoryLimits.value ?? noLimits),
    busyEntry: computed(() => opened.value?.busyEntry.value ?? null),
    close: (): void => void opening.then((late) => late?.close()),
  };
}

type Followed = {
  client: Client;
  device: Device;
  feed: ReturnType<typeof openBoardFeed>;
  queue: ReturnType<typeof createBumpQueue>;
  reads: ReturnType<typeof openReadAllergies>;
  seen: ReturnType<Client['seenReporter']>;
  stationSettings: ReturnType<typeof openStationSettings>;
};
/** Retries unsent work when the feed is live again, and stops it after a sign-out. Returns a function that stops this. */
function follow({ client, device, feed, queue, reads, seen, stationSettings }: Followed): () => void {
  // Nobody is signed in, so sending stops. The same user's next session sends the stored work.
  const stopWho = client.onWho((who) => {
    if (who !== null) return;
    queue.close();
    reads.close();
    seen.close();
  });
  const stopRetries = feed.isFeedLive.subscribe((isLive) => {
    if (!isLive || client.who() === null) return;
    queue.retry();
    reads.retry();
    void stationSettings.load();
    void device.release.check();
  });
  return () => {
    stopWho();
    stopRetries();
  };
}
