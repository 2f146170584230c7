import type { Client } from '@comanda/client';
import { computed, signal } from '@preact/signals';
import { createBumpQueue, type Dropped } from '../bumps/bump-queue.ts';
import type { Device } from '../device/device.ts';
import { keptBumps } from '../device/kept-work.ts';
import { openAlerts } from './alerts.ts';
import { openBoardFeed } from './board-feed.ts';
import { createBoard } from './board.ts';
import { createCancelRequests, type FailedRequest } from './cancel-requests.ts';
import { createDoneBumps } from './done-bumps.ts';
import { createPrinter } from './print.ts';

export type BoardSession = ReturnType<typeof openBoardSession>;

/** One screen of the kitchen at work: the client's feed, the board, its bumps, its sounds and its reports of seen orders. */
export function openBoardSession(client: Client, device: Device) {
  const userId = client.who()?.userId ?? 0;
  const notice = signal<Dropped | FailedRequest | null>(null);
  const feed = openBoardFeed(client);
  const done = createDoneBumps();
  const queue = createBumpQueue({
    client,
    userId,
    storage: keptBumps(userId),
    onMade: feed.apply,
    onDropped: (dropped) => {
      done.remove(dropped.bump);
      notice.value = dropped;
    },
  });
  const board = createBoard({
    queue,
    done,
    station: device.settings.station,
    isLive: computed(() => feed.state.value.kind === 'live' || feed.state.value.kind === 'catching_up'),
    cancellations: feed.cancellations,
    newId: client.newKey,
    now: () => feed.now.peek(),
  });
  const requests = createCancelRequests({
    client,
    versionOf: board.versionOf,
    onMade: feed.apply,
    onFailed: (failed) => (notice.value = failed),
  });
  const alerts = openAlerts({ sounds: device.sounds, feedState: feed.state });
  const seen = client.seenReporter({ device: device.name });
  const state = { wasComplete: false };
  const stopOrders = feed.orders.subscribe((change) => {
    if (!change) return;
    const difference = board.setOrders(change.all);
    // What comes with the first list is not new, and the person knows what was done here.
    if (state.wasComplete && change.source === 'server') alerts.tell(difference);
    state.wasComplete ||= feed.isComplete();
  });
  const stopRetries = feed.state.subscribe(({ kind }) => {
    if (kind === 'live') queue.retry();
  });
  return {
    ...requests,
    board,
    device,
    done,
    waiting: queue.waiting,
    /** What was not done, until somebody closes it. */
    notice,
    closeNotice: (): void => {
      notice.value = null;
    },
    feedState: feed.state,
    now: feed.now,
    clockOffsetMs: feed.clockOffsetMs,
    isRead: feed.isRead,
    untouched: alerts.untouched,
    announcement: alerts.announcement,
    touch: alerts.touch,
    printer: createPrinter(),
    retry: queue.retry,
    reportPainted: seen.painted,
    close: (): void => {
      stopRetries();
      stopOrders();
      seen.close();
      alerts.close();
      queue.close();
      feed.close();
    },
  };
}
