import type { CloudEvent } from '@comanda/contracts/event-data';
import type { FeedState, ServerToClientEvents } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** A single connection to the notifier. */
export type FeedSocket = {
  isConnected: () => boolean;
  /** Returns the token that was last sent to the notifier. */
  token: () => string;
  /** Sends a new token for the same user. */
  renewToken: (token: string) => void;
  /** Closes the connection. No listener is called afterwards. */
  close: () => void;
};
export type FeedSocketListeners = {
  onEvent: (event: CloudEvent, cursor: string) => void;
  onState: (state: FeedState) => void;
  /** Called after each message, which shows that the server is still there. */
  onHeard: () => void;
  /** Called when the connection is lost. `silent` means that the notifier sent nothing for 20 s. */
  onDisconnect: (how: 'closed' | 'silent') => void;
  /** Called when the notifier rejects the connection. */
  onRefused: (code: FailureCode) => void;
  onUnreachable: () => void;
};
type Options = { url: string; token: string; after: string | null; listeners: FeedSocketListeners };

/** How long to wait for the notifier's first message, in milliseconds. */
const firstMessageWithinMs = 10_000;

/**
 * Opens a connection that does not reconnect automatically. It speaks Socket.IO 5 over Engine.IO 4, as far as the feed uses them:
 * one WebSocket, one namespace, text only.
 */
export function openFeedSocket({ url, token, after, listeners }: Options): FeedSocket {
  const address = new URL('/socket.io/?EIO=4&transport=websocket', url);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address.href);
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  let sentToken = token;
  let isConnected = false;
  let isOver = false;
  /** How long the notifier may be silent, in milliseconds; null until its first message has set this. */
  let silentAfterMs: number | null = null;
  let timer = setTimeout(() => end(listeners.onUnreachable), firstMessageWithinMs);

  /** Closes the connection and reports why, unless it is already closed. */
  function end(report?: () => void): void {
    if (isOver) return;
    isOver = true;
    isConnected = false;
    clearTimeout(timer);
    page?.removeEventListener('offline', onLost);
    socket.close();
    report?.();
  }
  function onLost(): void {
    end(() => (silentAfterMs === null ? listeners.onUnreachable() : listeners.onDisconnect('closed')));
  }
  function expectMessage(): void {
    clearTimeout(timer);
    timer = setTimeout(() => end(() => listeners.onDisconnect('silent')), silentAfterMs ?? 0);
  }
  /** Handles a packet. The first digit is Engine.IO's type. After a 4, the second digit is Socket.IO's type. */
  function take(packet: string): void {
    const typeLength = packet.startsWith('4') ? 2 : 1;
    const json = packet.slice(typeLength);
    switch (packet.slice(0, typeLength)) {
      case '0': {
        const { pingInterval, pingTimeout } = JSON.parse(json) as Record<'pingInterval' | 'pingTimeout', number>;
        silentAfterMs = pingInterval + pingTimeout;
        expectMessage();
        return socket.send(`40${JSON.stringify({ token, ...(after !== null && { after }) })}`);
      }
      case '2':
        expectMessage();
        socket.send('3');
        return listeners.onHeard();
      case '40':
        isConnected = true;
        return undefined;
      case '41':
        return onLost();
      case '42': {
        listeners.onHeard();
        return takeEvent(JSON.parse(json) as Event);
      }
      case '44': {
        const { data } = JSON.parse(json) as { data?: { code?: FailureCode } };
        const { code } = data ?? {};
        return end(() => (code === undefined ? listeners.onUnreachable() : listeners.onRefused(code)));
      }
      default:
        return undefined;
    }
  }
  /** Ignores events with other names, which a later release of the notifier may send. */
  function takeEvent(event: Event): void {
    if (event[0] === 'event') listeners.onEvent(event[1], event[2]);
    else if (event[0] === 'feed') listeners.onState(event[1]);
  }
  socket.addEventListener('message', ({ data }) => {
    if (!isOver) take(String(data));
  });
  for (const type of ['close', 'error']) socket.addEventListener(type, onLost);
  page?.addEventListener('offline', onLost);
  return {
    isConnected: () => isConnected,
    token: () => sentToken,
    renewToken: (newToken) => {
      sentToken = newToken;
      socket.send(`42${JSON.stringify(['token', newToken])}`);
    },
    close: () => end(),
  };
}

type EventOf<N extends keyof ServerToClientEvents> = [name: N, ...Parameters<ServerToClientEvents[N]>];
type Event = EventOf<'event'> | EventOf<'feed'>;
