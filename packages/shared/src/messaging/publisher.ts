import type { CloudEvent } from '@comanda/contracts/event-data';
import type { Logger } from '../runtime/logger.ts';
import { keepConnected, untilClosed, type ChannelModel, type ConfirmChannel } from './connection.ts';
import { declareTopology, exchange, stream } from './topology.ts';

/**
 * An event to be published. `body` is its CloudEvent as JSON, which is created only once, so that the stored text and the
 * published text are equal.
 */
export type Message = { id: string; type: string; time: Date; body: string };

export const toMessage = (event: CloudEvent): Message => ({
  id: event.id,
  type: event.type,
  time: new Date(event.time),
  body: JSON.stringify(event),
});

export type Publisher = {
  /**
   * Resolves when the broker has confirmed all `messages`. In the stream, messages first appear in this order, and after the
   * messages from earlier calls, even if the connection was lost in between. A message may appear more than once. Rejects
   * immediately if 20,000 messages or 64 MB are waiting, and later if the publisher is closed before the broker confirms.
   */
  publish: (messages: readonly Message[]) => Promise<void>;
  /** Returns true while the publisher is connected and the broker accepts what it sends. */
  isUp: () => boolean;
  /** Adds a listener that is called each time `isUp` becomes true. */
  onUp: (listener: () => void) => void;
  /** Closes the publisher after its messages are confirmed, or after `drainMs` (in milliseconds; by default 2,000). */
  close: (options?: { drainMs: number }) => Promise<void>;
};

type Entry = { message: Message; content: Buffer; state: 'waiting' | 'sent' | 'confirmed'; call: Call };
type Call = { unconfirmed: number; resolve: () => void; reject: (reason: Error) => void };
/** An open channel. `fail` ends its session, so that a new connection is opened. */
type Link = { channel: ConfirmChannel; isBlocked: boolean; fail: (reason: Error) => void };

const maxWaiting = 20_000;
const maxWaitingBytes = 64 * 1024 * 1024;
const maxInFlight = 1000;
const maxInFlightBytes = 8 * 1024 * 1024;
/** If unconfirmed messages get no confirm for this many seconds, the connection is replaced. */
const maxChecksWithoutConfirm = 10;

/**
 * Creates a publisher that sends persistent messages with confirms and `mandatory`. `messageId` is the event's id, and the
 * routing key is the event's type.
 *
 * After every connect, the publisher declares the topology and checks the stream before it sends, because a broker that has just
 * restarted confirms messages that it cannot route yet. Messages that were returned or not confirmed are sent again, in order.
 * The channel publishes only to this exchange, and is replaced after any returned message: once a message has not reached the
 * stream, the channel may confirm later messages that are not stored. The channel is also replaced when no confirms arrive.
 */
export function createPublisher({ url, name, logger }: { url: string; name: string; logger: Logger }): Publisher {
  const queue = createQueue();
  const listeners: (() => void)[] = [];
  let link: Link | null = null;
  let closed = false;
  let onEmpty: (() => void) | null = null;

  async function session(connection: ChannelModel, lost: AbortSignal): Promise<void> {
    await declareTopology(connection, logger);
    const channel = await connection.createConfirmChannel();
    const ended = untilClosed(channel);
    await channel.checkQueue(stream);
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const fail = (reason: Error): void => {
      link = null;
      reject(reason);
    };
    lost.throwIfAborted();
    lost.addEventListener('abort', () => fail(lost.reason as Error), { once: true });
    // Later messages must not overtake a returned message, so all unconfirmed messages are sent again, on a new connection.
    channel.on('return', ({ fields }) =>
      fail(new Error(`the broker returned a message: ${(fields as { replyText?: string }).replyText}`)),
    );
    queue.rewind();
    const own: Link = { channel, isBlocked: false, fail };
    link = own;
    // During a memory or disk alarm, the broker notifies publishers that they are blocked, and reads nothing from them.
    connection.on('blocked', () => (own.isBlocked = true));
    connection.on('unblocked', () => {
      own.isBlocked = false;
      if (own === link) begin();
    });
    const watch = watchConfirms(own, queue);
    begin();
    await Promise.race([ended, failed]).finally(() => clearInterval(watch));
  }
  function begin(): void {
    send();
    for (const listener of listeners) listener();
  }
  function send(): void {
    for (;;) {
      const entry = link && !link.isBlocked && queue.next();
      if (!link || !entry) return;
      sendOne(link, entry);
    }
  }
  function sendOne(on: Link, entry: Entry): void {
    const options = {
      persistent: true,
      mandatory: true,
      messageId: entry.message.id,
      contentType: 'application/cloudevents+json',
      contentEncoding: 'utf-8',
    };
    try {
      on.channel.publish(exchange, entry.message.type, entry.content, options, (error: unknown) => {
        if (on !== link) return; // the connection was replaced, and the message is sent again
        if (error) on.fail(error as Error);
        else onConfirmed(entry);
      });
    } catch (error) {
      on.fail(error as Error);
    }
  }
  function onConfirmed(entry: Entry): void {
    queue.confirm(entry);
    if (--entry.call.unconfirmed === 0) entry.call.resolve();
    if (queue.size() === 0) onEmpty?.();
    send();
  }
  const connection = keepConnected({ url, name: `${name} publisher`, logger, session });

  return {
    publish: (messages) => {
      if (closed) return Promise.reject(new Error('the publisher is closed'));
      if (messages.length === 0) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (queue.add(messages, { unconfirmed: messages.length, resolve, reject })) send();
      else reject(new Error('too many messages wait for the broker'));
      return promise;
    },
    isUp: () => link !== null && !link.isBlocked,
    onUp: (listener) => void listeners.push(listener),
    close: async ({ drainMs } = { drainMs: 2000 }) => {
      closed = true;
      if (queue.size() > 0 && link)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, drainMs);
          onEmpty = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      await connection.close();
      for (const { call } of queue.clear()) call.reject(new Error('the publisher is closed'));
    },
  };
}

/**
 * Ends the session if the broker no longer confirms messages. Counts checks instead of elapsed time: a process that was suspended
 * must not conclude that the broker is silent.
 */
function watchConfirms(link: Link, queue: Queue): NodeJS.Timeout {
  let lastConfirmed = queue.confirmedCount();
  let checks = 0;
  return setInterval(() => {
    const isSilent = queue.inFlightCount() > 0 && queue.confirmedCount() === lastConfirmed && !link.isBlocked;
    checks = isSilent ? checks + 1 : 0;
    lastConfirmed = queue.confirmedCount();
    if (checks >= maxChecksWithoutConfirm) link.fail(new Error(`nothing was confirmed for ${checks} s`));
  }, 1000);
}

type Queue = ReturnType<typeof createQueue>;

/**
 * Creates a queue of unconfirmed messages, oldest first. The queue knows which of them were already sent on the current
 * connection.
 */
function createQueue() {
  let entries: Entry[] = [];
  let first = 0;
  let toSend = 0;
  let bytes = 0;
  let inFlight = { messages: 0, bytes: 0 };
  let confirmedCount = 0;

  return {
    inFlightCount: (): number => inFlight.messages,
    confirmedCount: (): number => confirmedCount,
    size: (): number => entries.length - first,
    /** Adds all `messages` and returns true. If too many messages or bytes would then be waiting, adds none and returns false. */
    add: (messages: readonly Message[], call: Call): boolean => {
      const contents = messages.map(({ body }) => Buffer.from(body));
      const size = contents.reduce((sum, { length }) => sum + length, 0);
      if (entries.length - first + messages.length > maxWaiting || bytes + size > maxWaitingBytes) return false;
      messages.forEach((message, index) =>
        entries.push({ message, content: contents[index] as Buffer, state: 'waiting', call }),
      );
      bytes += size;
      return true;
    },
    /** Returns the next message to send. Null if there is none, or if too many messages or bytes are unconfirmed. */
    next: (): Entry | null => {
      while (entries[toSend]?.state === 'confirmed') toSend++;
      const entry = entries[toSend];
      if (!entry || inFlight.messages >= maxInFlight || inFlight.bytes >= maxInFlightBytes) return null;
      toSend++;
      entry.state = 'sent';
      inFlight.messages++;
      inFlight.bytes += entry.content.length;
      return entry;
    },
    confirm: (entry: Entry): void => {
      entry.state = 'confirmed';
      confirmedCount++;
      inFlight.messages--;
      inFlight.bytes -= entry.content.length;
      bytes -= entry.content.length;
      while (entries[first]?.state === 'confirmed') first++;
      if (first < 1000 && first < entries.length) return;
      entries = entries.slice(first);
      toSend -= first;
      first = 0;
    },
    /** Marks all unconfirmed messages to be sent again, because there is a new connection. */
    rewind: (): void => {
      toSend = first;
      inFlight = { messages: 0, bytes: 0 };
      for (const entry of entries) if (entry.state === 'sent') entry.state = 'waiting';
    },
    clear: (): Entry[] => {
      const unconfirmed = entries.slice(first).filter(({ state }) => state !== 'confirmed');
      entries = [];
      first = 0;
      toSend = 0;
      return unconfirmed;
    },
  };
}
