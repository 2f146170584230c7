import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { TestClaims } from '@comanda/testing/test-issuer';
import type { Notice } from '@comanda/testing/feed-client';

/** A packet that a client has received over any of its connections. */
type Received = { kind: 'event' | 'gap' | 'notice'; offset: number; id: string };
export type RoamingClient = {
  claims: TestClaims;
  /** Returns the offset at which the client started, or null before it has started. */
  start: () => number | null;
  received: Received[];
  connections: () => number;
  /** Keeps the connection open from now on. */
  settle: () => Promise<void>;
  isLive: () => boolean;
  close: () => void;
};

const randomUpTo = (max: number): number => Math.random() * max;
const read = (cursor: string): { offset: number; id: string } => {
  const [offset, id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  return { offset: offset === 'beginning' ? -1 : Number(offset), id };
};

type Transport = { transport: { ws: { terminate: () => void } | null } };
/** Returns a socket's current WebSocket, or undefined if there is none. */
const webSocketOf = ({ io: manager }: Socket) => (manager.engine as unknown as Transport | undefined)?.transport.ws;

/** Starts a client that loses its connection in various ways and reconnects to any instance with its latest cursor. */
export function startRoamingClient(
  claims: TestClaims,
  { token, urls }: { token: string; urls: readonly string[] },
): RoamingClient {
  const received: Received[] = [];
  const state = { roaming: true, live: false, connections: 0, cursor: null as string | null };
  let start: number | null = null;
  let socket = connect();

  function connect(): Socket {
    const url = urls[Math.floor(randomUpTo(urls.length))] ?? '';
    const opened = io(url, {
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 500,
      auth: (send) => send({ token, ...(state.cursor !== null && { after: state.cursor }) }),
    });
    opened.on('connect', () => state.connections++);
    opened.on('disconnect', () => (state.live = false));
    opened.on('event', (_event: unknown, cursor: string) => {
      state.cursor = cursor;
      received.push({ kind: 'event', ...read(cursor) });
    });
    opened.on('feed', ({ status, cursor }: Notice) => {
      state.live = status === 'live';
      if (cursor === null) return;
      state.cursor = cursor;
      start ??= read(cursor).offset;
      received.push({ kind: status === 'gap' ? 'gap' : 'notice', ...read(cursor) });
    });
    return opened;
  }
  async function roam(): Promise<void> {
    await pause(randomUpTo(2000));
    while (state.roaming) {
      const choice = Math.random();
      if (choice < 0.4) {
        socket.disconnect();
        await pause(Math.random() < 0.3 ? 0 : randomUpTo(3000));
        socket = connect();
      } else if (choice < 0.7) socket.io.engine?.close();
      else webSocketOf(socket)?.terminate();
      await pause(200 + randomUpTo(2500));
    }
  }
  const roaming = roam();
  return {
    claims,
    received,
    start: () => start,
    connections: () => state.connections,
    settle: async () => {
      state.roaming = false;
      await roaming;
    },
    isLive: () => state.live,
    close: () => void socket.disconnect(),
  };
}
