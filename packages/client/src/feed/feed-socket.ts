import { Manager, type Socket } from 'socket.io-client';
import type { CloudEvent } from '@comanda/contracts/event-data';
import type { ClientToServerEvents, FeedState, ServerToClientEvents } from '@comanda/contracts/feed';
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
type ConnectError = Error & { data?: { code?: FailureCode } };

/** Opens a connection that does not reconnect automatically. */
export function openFeedSocket({ url, token, after, listeners }: Options): FeedSocket {
  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, timeout: 10_000 });
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = manager.socket('/', {
    auth: { token, ...(after !== null && { after }) },
  });
  let sentToken = token;
  let isClosed = false;
  const unlessClosed =
    <A extends unknown[]>(listener: (...args: A) => void) =>
    (...args: A): void => {
      if (!isClosed) listener(...args);
    };

  manager.on('ping', unlessClosed(listeners.onHeard));
  socket.onAny(unlessClosed(listeners.onHeard));
  socket.on('event', unlessClosed(listeners.onEvent));
  socket.on('feed', unlessClosed(listeners.onState));
  socket.on(
    'disconnect',
    unlessClosed((reason) => listeners.onDisconnect(reason === 'ping timeout' ? 'silent' : 'closed')),
  );
  socket.on(
    'connect_error',
    unlessClosed(({ data }: ConnectError) => {
      if (data?.code === undefined) listeners.onUnreachable();
      else listeners.onRefused(data.code);
    }),
  );
  manager.on('error', unlessClosed(listeners.onUnreachable));
  socket.connect();
  return {
    isConnected: () => socket.connected,
    token: () => sentToken,
    renewToken: (newToken) => {
      sentToken = newToken;
      socket.emit('token', newToken);
    },
    close: () => {
      isClosed = true;
      socket.disconnect();
    },
  };
}
