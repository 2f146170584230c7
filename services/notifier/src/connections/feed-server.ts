import type { RequestListener, Server as HttpServer } from 'node:http';
import pLimit from 'p-limit';
import type { ExtendedError } from 'socket.io';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { problem, Problem, problemBody } from '@comanda/contracts/problem';
import { networkOf, type ReadClient } from '@comanda/shared/http/client-address';
import { endConnection } from '@comanda/shared/http/end-connection';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import { tracePush, type Push } from '@comanda/shared/messaging/trace-messages';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import type { NotifierConfig } from '../config.ts';
import type { Feed, FeedChange } from '../feed/feed.ts';
import type { MeasureEvent } from '../feed/measure-events.ts';
import type { StreamArchive } from '../stream/stream-archive.ts';
import type { ConnectionMetrics } from './connection-metrics.ts';
import { authorizeConnection } from './authorize-connection.ts';
import { createConnectionLimiter } from './connection-limiter.ts';
import { drainSockets } from './drain-sockets.ts';
import { createFeedConnection, sharedPacket, type FeedConnection } from './feed-connection.ts';
import type { HandshakeLimiter } from './handshake-limiter.ts';
import { createRoomIndex } from './room-index.ts';
import { createSocketServer, type SocketServerOptions } from './socket-server.ts';
import type { EngineSocket, FeedSocket, FeedSocketServer } from './socket-types.ts';
import { closeOnTokenExpiry } from './token-expiry.ts';

type Options = {
  server: HttpServer;
  config: NotifierConfig;
  handshakes: HandshakeLimiter;
  readClient: ReadClient;
  feed: Feed;
  archive: StreamArchive;
  tokens: TokenVerifier;
  metrics: ConnectionMetrics;
  /** Records the metrics for an event that was sent while the feed was live. */
  measure: MeasureEvent;
  tracer: Tracer;
  logger: Logger;
  clock: Clock;
};
export type FeedServer = {
  /** Rejects new clients and closes the open connections over `DRAIN_WINDOW_MS`. */
  close: () => Promise<void>;
};

/**
 * How long a client may stay connected without sending a token, in milliseconds. Clients send their token in the first packet.
 */
const connectTimeoutMs = 2000;
/** The share of an address's open sockets that guests and customers may use. */
const shareOfGuests = 3 / 4;
const statusEveryMs = 15_000;
/** How many events are sent before the backlogs are checked. They are also checked every second. */
const eventsPerCheck = 64;

/**
 * Starts the feed for all clients of this instance, with Socket.IO over WebSocket in the default namespace. Sends clients each
 * change of the feed, until the server is closed.
 */
export function createFeedServer(options: Options): FeedServer {
  const { config, feed, tracer, measure, logger, metrics } = options;
  const io = createUpgradeServer(options.server, {
    path: '/socket.io',
    transports: ['websocket'],
    maxHttpBufferSize: 16 * 1024,
    connectTimeout: connectTimeoutMs,
    pingInterval: 10_000,
    pingTimeout: 10_000,
  });
  const connections = new Set<FeedConnection>();
  const connectionsByRoom = createRoomIndex<FeedConnection>();
  const archiveLimit = pLimit(config.readersAtOnce);
  const state = { isClosing: false, eventsSinceCheck: 0 };

  refuseUnauthorized(io, options, () => state.isClosing);
  io.on('connection', (socket) => {
    closeOnUnknownEvents(socket);
    const tokenExpiry = closeOnTokenExpiry(socket, options);
    const connection = createFeedConnection(socket, { ...options, archiveLimit });
    connections.add(connection);
    connectionsByRoom.add(connection);
    metrics.sockets.set(connections.size);
    socket.on('disconnect', () => {
      tokenExpiry.stop();
      connection.close();
      connections.delete(connection);
      connectionsByRoom.remove(connection);
      metrics.sockets.set(connections.size);
      // A client that leaves the namespace could keep its connection open without a token, and a client that is disconnected
      // might not close its connection.
      socket.conn.close();
      endConnection(socket.conn.request.socket);
    });
  });
  function sendStatuses(): void {
    for (const connection of connections) connection.sendStatus();
  }
  function checkBacklogs(): void {
    state.eventsSinceCheck = 0;
    for (const connection of connections) connection.checkBacklog();
  }
  const timers = [setInterval(sendStatuses, statusEveryMs), setInterval(checkBacklogs, 1000)];

  /** Sends an event to all live clients that may receive it. */
  function sendEvent({ entry, event, isLive }: Extract<FeedChange, { kind: 'event' }>): void {
    const startedAt = performance.now();
    const packet = sharedPacket(entry);
    let sockets = 0;
    connectionsByRoom.forEachIn(entry.rooms, ({ send }) => (sockets += send(packet)));
    if (++state.eventsSinceCheck >= eventsPerCheck) checkBacklogs();
    if (isLive) recordSent(event, { startedAt, sockets });
  }
  /**
   * Records the trace and the metrics of an event that was sent. If that fails because a field has an unexpected form, logs an
   * error, so that clients are unaffected.
   */
  function recordSent(event: CloudEvent, push: Push): void {
    const { id, type, subject, traceparent } = event;
    try {
      tracePush(tracer, event, push);
      measure(event);
      logger.debug({ id, type, subject, traceparent }, 'event');
    } catch (error) {
      logger.error({ err: error, id, type }, 'an event was sent but could not be measured');
    }
  }
  function sendChange(change: FeedChange): void {
    if (change.kind === 'event') sendEvent(change);
    else if (change.kind === 'status') for (const connection of connections) connection.onStatusChange();
    else for (const connection of connections) connection.onGap();
  }
  /**
   * Cuts off all clients after a change that some of them may not have received. They reconnect, and a replay sends what they
   * missed.
   */
  function onFailedChange(error: unknown, change: FeedChange): void {
    const { kind } = change;
    const event = kind === 'event' && { id: change.entry.id, type: change.entry.type };
    logger.error({ err: error, kind, ...event }, 'a change could not be sent, so all clients are cut off');
    for (const connection of connections) connection.cutOff();
  }
  async function sendChanges(): Promise<void> {
    for await (const changes of feed.changes)
      for (const change of changes) {
        try {
          sendChange(change);
        } catch (error) {
          onFailedChange(error, change);
        }
      }
  }
  void sendChanges(); // Not caught: the process ends if the feed fails, because the ring may then lack events.

  return {
    close: async () => {
      state.isClosing = true;
      logger.info({ sockets: connections.size }, 'closing sockets');
      await drainSockets(io, config.drainWindowMs);
      for (const timer of timers) clearInterval(timer);
      await io.close();
    },
  };
}

/** Creates a Socket.IO server for upgrades only, by removing its listener for ordinary requests to its path. */
function createUpgradeServer(server: HttpServer, options: SocketServerOptions): FeedSocketServer {
  const requestListeners = server.listeners('request') as RequestListener[];
  const io = createSocketServer(server, options);
  server.removeAllListeners('request');
  for (const listener of requestListeners) server.on('request', listener);
  return io;
}

/** Closes sockets that send any event except `token`, because no limit counts the work that other events cause. */
function closeOnUnknownEvents(socket: FeedSocket): void {
  socket.onAny((name: string) => {
    if (name !== 'token') socket.disconnect(true);
  });
}

/** Rejects unauthorized clients with `connect_error`, whose `data` is a problem [RFC 9457]. */
function refuseUnauthorized(io: FeedSocketServer, options: Options, isClosing: () => boolean): void {
  const { config, handshakes, readClient, tokens, metrics, logger } = options;
  const { allowedOrigins } = config;
  const limiter = createConnectionLimiter({
    maxPerUser: config.socketsPerUser,
    maxOfGuestsPerAddress: Math.ceil(config.feedLimitAddress * shareOfGuests),
    handshakes,
    readClient,
  });

  async function authorize(socket: FeedSocket): Promise<void> {
    if (socket.conn.readyState !== 'open') return;
    if (isClosing()) throw problem('service_unavailable', { detail: 'This instance is closing. Connect again.' });
    const data = await authorizeConnection({ tokens, allowedOrigins }, socket.handshake);
    const { caller } = data;
    await limiter.add(socket, caller);
    Object.assign(socket.data, data);
    logger.info({ user_id: caller.userId, role: caller.role, socket: socket.id }, 'connected');
  }
  function refusalOf(error: unknown, { id: requestId, request }: FeedSocket): ExtendedError {
    const failure = error instanceof Problem ? error : problem('internal_error');
    if (failure !== error) logger.error({ err: error }, 'a connection could not be authorized');
    const { status, code } = failure;
    const network = networkOf(readClient(request).address);
    logger.info({ socket: requestId, status, code, network }, 'connection refused');
    metrics.refused.inc({ code });
    return Object.assign(new Error(failure.message), { data: problemBody(failure, requestId) });
  }
  /** Connections whose client has already sent a token. */
  const asked = new WeakSet<EngineSocket>();
  async function response(socket: FeedSocket, proceed: (refusal?: ExtendedError) => void): Promise<void> {
    const { conn } = socket;
    // Checking a token means verifying a signature on the only thread. Honest clients wait for the response before they send
    // another token.
    if (asked.has(conn)) conn.close();
    asked.add(conn);
    const refusal = await authorize(socket).catch((error: unknown) => refusalOf(error, socket));
    proceed(refusal ?? undefined);
    if (refusal) setImmediate(() => conn.close()); // Socket.IO sends the rejection in the next tick
  }
  io.use((socket: FeedSocket, proceed) => void response(socket, proceed));
}
