import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { ExtendedError } from 'socket.io';
import type { CloudEvent } from '@comanda/contracts/events';
import { problem, Problem, problemBody } from '@comanda/contracts/problems';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { StreamArchive } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { NotifierConfig } from '../config.ts';
import type { Entry } from '../feed/entry.ts';
import type { Feed } from '../feed/feed.ts';
import type { NotifierMetrics } from '../metrics.ts';
import { admit } from './admit.ts';
import { closeSpread } from './close-spread.ts';
import { countSockets } from './count-sockets.ts';
import { createScreen } from './screen.ts';
import type { Screen } from './screen.ts';
import { keepTokenAlive } from './token-life.ts';
import { createTurns } from './turns.ts';
import type { FeedSocket, Sockets } from './wire.ts';

type Options = {
  server: HttpServer;
  config: NotifierConfig;
  feed: Feed;
  archive: StreamArchive;
  tokens: TokenVerifier;
  metrics: NotifierMetrics;
  logger: Logger;
};
export type Screens = {
  /** To all who hear it, in this very turn. */
  send: (entry: Entry, event: CloudEvent) => void;
  onChange: (change: 'status' | 'gap') => void;
  /** Takes no new clients, and closes the open ones spread over a while. */
  close: () => Promise<void>;
};

const noticeEveryMs = 15_000;
/** So many events between two looks at how far behind clients are, besides one every second. */
const eventsPerLook = 64;

/** All clients of this instance: Socket.IO over WebSocket, default namespace. */
export function openScreens(options: Options): Screens {
  const { config, logger, metrics } = options;
  const io: Sockets = new Server(options.server, {
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: 16 * 1024,
    connectTimeout: 10_000,
    pingInterval: 10_000,
    pingTimeout: 10_000,
  });
  const screens = new Set<Screen>();
  const turns = createTurns(config.readersAtOnce);
  const state = { closing: false, sinceLook: 0 };
  admitOnly(io, options, () => state.closing);
  io.on('connection', (socket) => {
    const tokenLife = keepTokenAlive(socket, options);
    const screen = createScreen({ ...options, socket, turns });
    screens.add(screen);
    metrics.sockets.set(screens.size);
    socket.on('disconnect', () => {
      tokenLife.stop();
      screen.close();
      screens.delete(screen);
      metrics.sockets.set(screens.size);
    });
  });
  function look(): void {
    state.sinceLook = 0;
    for (const screen of screens) screen.mindBacklog();
  }
  const noticing = setInterval(() => {
    for (const screen of screens) screen.tell();
  }, noticeEveryMs);
  const looking = setInterval(look, 1000);

  return {
    send: ({ rooms, cursor }, event) => {
      io.to([...rooms]).emit('event', event, cursor);
      if (++state.sinceLook >= eventsPerLook) look();
    },
    onChange: (change) => {
      for (const screen of screens)
        if (change === 'gap') screen.onGap();
        else screen.onStatus();
    },
    close: async () => {
      state.closing = true;
      logger.info({ sockets: screens.size }, 'closing sockets');
      await closeSpread(io, config.drainWindowMs);
      clearInterval(noticing);
      clearInterval(looking);
      await io.close();
    },
  };
}

/** Refuses with `connect_error`, its `data` a problem [RFC 9457]. */
function admitOnly(io: Sockets, { config, tokens, metrics, logger }: Options, isClosing: () => boolean): void {
  const allowedOrigins = new Set(config.allowedOrigins.split(',').map((origin) => origin.trim()));
  const sockets = countSockets(config.socketsPerUser);

  async function letIn(socket: FeedSocket): Promise<void> {
    if (isClosing()) throw problem('service_unavailable', { detail: 'This instance is closing.' });
    const admission = await admit(socket, { tokens, allowedOrigins });
    sockets.add(socket, admission.caller.userId);
    Object.assign(socket.data, admission);
    logger.info({ user_id: admission.caller.userId, role: admission.caller.role, socket: socket.id }, 'connected');
  }
  function refuse(error: unknown, requestId: string): ExtendedError {
    const failure = error instanceof Problem ? error : problem('internal_error');
    if (failure !== error) logger.error({ err: error }, 'a connection could not be admitted');
    metrics.refused.inc({ code: failure.code });
    return Object.assign(new Error(failure.message), { data: problemBody(failure, requestId) });
  }
  io.use((socket: FeedSocket, answer) => {
    void letIn(socket)
      .catch((error: unknown) => refuse(error, socket.id))
      .then((refusal) => answer(refusal ?? undefined));
  });
}
