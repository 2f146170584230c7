import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { until } from './until.ts';

type Event = { id: string; type: string; subject: string; time: string; data: Record<string, unknown> };
export type Screen = {
  socket: Socket;
  events: Event[];
  feeds: { status: string; cursor: string; time: string }[];
  /** Waits for the state `live`. */
  live: () => Promise<void>;
  close: () => void;
};

/** A screen that reconnects by itself and asks for what it missed, as an app does. */
export function openScreen(url: string, token: string): Screen {
  const events: Event[] = [];
  const feeds: Screen['feeds'] = [];
  let after: string | undefined;
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 500,
    auth: (send) => send({ token, ...(after !== undefined && { after }) }),
  });
  // Refused while the keys could not be had: Socket.IO leaves trying again to the app.
  let again: NodeJS.Timeout | undefined;
  socket.on('connect_error', () => {
    if (!socket.active) again = setTimeout(() => socket.connect(), 200);
  });
  socket.on('event', (event: Event, cursor: string) => {
    events.push(event);
    after = cursor;
  });
  socket.on('feed', (feed: Screen['feeds'][number]) => {
    feeds.push(feed);
    after = feed.cursor ?? after;
  });
  return {
    socket,
    events,
    feeds,
    live: () =>
      until(() => feeds.at(-1)?.status === 'live', { timeoutMs: 20_000, what: 'the feed to be live' }).then(
        () => undefined,
      ),
    close: () => {
      clearTimeout(again);
      socket.disconnect();
    },
  };
}
