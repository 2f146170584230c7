import { setTimeout as pause } from 'node:timers/promises';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import type { TestClaims } from '@comanda/testing/test-issuer';
import type { Notice } from '@comanda/testing/feed-client';

/** What a client was told, in order, over all its connections. */
type Told = { kind: 'event' | 'gap' | 'notice'; offset: number; id: string };
export type Wanderer = {
  claims: TestClaims;
  /** Where in the stream it began. */
  start: () => number | null;
  told: Told[];
  connections: () => number;
  /** Stops wandering and stays connected. */
  settle: () => Promise<void>;
  isLive: () => boolean;
  close: () => void;
};

const some = (most: number): number => Math.random() * most;
const read = (cursor: string): { offset: number; id: string } => {
  const [offset, id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  return { offset: offset === 'beginning' ? -1 : Number(offset), id };
};

type Transport = { transport: { ws: { terminate: () => void } | null } };
/** The WebSocket below a socket, if it has one just now. */
const webSocketOf = ({ io: manager }: Socket) => (manager.engine as unknown as Transport | undefined)?.transport.ws;

/**
 * A client that comes and goes: hangs up, loses its line in various ways, stays away for a while, comes back to this
 * instance or another, always from its newest cursor.
 */
export function startWanderer(
  claims: TestClaims,
  { token, urls }: { token: string; urls: readonly string[] },
): Wanderer {
  const told: Told[] = [];
  const state = { wandering: true, live: false, connections: 0, cursor: null as string | null };
  let start: number | null = null;
  let socket = connect();

  function connect(): Socket {
    const url = urls[Math.floor(some(urls.length))] ?? '';
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
      told.push({ kind: 'event', ...read(cursor) });
    });
    opened.on('feed', ({ status, cursor }: Notice) => {
      state.live = status === 'live';
      if (cursor === null) return;
      state.cursor = cursor;
      start ??= read(cursor).offset;
      told.push({ kind: status === 'gap' ? 'gap' : 'notice', ...read(cursor) });
    });
    return opened;
  }
  async function wander(): Promise<void> {
    await pause(some(2000));
    while (state.wandering) {
      const how = Math.random();
      if (how < 0.4) {
        socket.disconnect();
        await pause(Math.random() < 0.3 ? 0 : some(3000));
        socket = connect();
      } else if (how < 0.7) socket.io.engine?.close();
      else webSocketOf(socket)?.terminate();
      await pause(200 + some(2500));
    }
  }
  const wandering = wander();
  return {
    claims,
    told,
    start: () => start,
    connections: () => state.connections,
    settle: async () => {
      state.wandering = false;
      await wandering;
    },
    isLive: () => state.live,
    close: () => void socket.disconnect(),
  };
}
