import type { CloudEvent } from '@comanda/contracts/events';
import type { Logger } from '../runtime/logger.ts';
import { keepConnected, untilClosed } from './connection.ts';
import type { ChannelModel, ConfirmChannel } from './connection.ts';
import { declareTopology, exchange, stream } from './topology.ts';

/** An event on its way: its CloudEvent is made text once, and that text is what is stored and what is published. */
export type Message = { id: string; type: string; time: Date; body: string };

export const toMessage = (event: CloudEvent): Message => ({
  id: event.id,
  type: event.type,
  time: new Date(event.time),
  body: JSON.stringify(event),
});

export type Publisher = {
  /**
   * Resolves when the broker has every one of `messages` for good. They first appear in the stream in their order, and
   * after those of earlier calls, through any number of broken connections; any may appear more than once.
   * Rejects at once when 20,000 messages or 64 MB wait already, and when the publisher is closed before the confirm.
   */
  publish: (messages: readonly Message[]) => Promise<void>;
  /** True while messages go out at once. */
  isUp: () => boolean;
  /** Called each time that `isUp` becomes true. */
  onUp: (listener: () => void) => void;
  /** Waits up to `drainMs` (2,000) for the confirms that are due. */
  close: (options?: { drainMs: number }) => Promise<void>;
};

type Entry = { message: Message; content: Buffer; state: 'waiting' | 'sent' | 'confirmed'; call: Call };
type Call = { left: number; resolve: () => void; reject: (reason: Error) => void };
/** A channel that is ready, and how to give it up. */
type Link = { channel: ConfirmChannel; fail: (reason: Error) => void };

const mostWaiting = 20_000;
const mostWaitingBytes = 64 * 1024 * 1024;
const windowMessages = 1000;
const windowBytes = 8 * 1024 * 1024;

/**
 * Publishes with confirms and `mandatory`, persistent, `messageId` = event id, routing key = type. After every
 * connection the topology is declared and the stream asked for before anything is sent: a broker that has just
 * restarted confirms what it cannot route yet. What was not confirmed, or was returned, is sent again in order.
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
    lost.addEventListener('abort', () => fail(lost.reason as Error), { once: true });
    // What came back must not be overtaken by what was sent after it: all of it goes again, over a new connection.
    channel.on('return', ({ fields }) => fail(new Error(`returned: ${(fields as { replyText?: string }).replyText}`)));
    queue.rewind();
    link = { channel, fail };
    send();
    for (const listener of listeners) listener();
    await Promise.race([ended, failed]);
  }
  function send(): void {
    for (;;) {
      const entry = link && queue.next();
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
        if (on !== link) return; // given up: sent again on the next one
        if (error) on.fail(error as Error);
        else onConfirmed(entry);
      });
    } catch (error) {
      on.fail(error as Error);
    }
  }
  function onConfirmed(entry: Entry): void {
    queue.confirm(entry);
    if (--entry.call.left === 0) entry.call.resolve();
    if (queue.size() === 0) onEmpty?.();
    send();
  }
  const connection = keepConnected({ url, name: `${name} publisher`, logger, session });

  return {
    publish: (messages) => {
      if (closed) return Promise.reject(new Error('the publisher is closed'));
      if (messages.length === 0) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (queue.add(messages, { left: messages.length, resolve, reject })) send();
      else reject(new Error('too many messages wait for the broker'));
      return promise;
    },
    isUp: () => link !== null,
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

/** What is not confirmed yet, oldest first, with a window over what was sent on the present connection. */
function createQueue() {
  let entries: Entry[] = [];
  let first = 0;
  let toSend = 0;
  let bytes = 0;
  let flying = { messages: 0, bytes: 0 };

  return {
    size: (): number => entries.length - first,
    /** All of `messages`, or none of them. */
    add: (messages: readonly Message[], call: Call): boolean => {
      const contents = messages.map(({ body }) => Buffer.from(body));
      const size = contents.reduce((sum, { length }) => sum + length, 0);
      if (entries.length - first + messages.length > mostWaiting || bytes + size > mostWaitingBytes) return false;
      messages.forEach((message, index) =>
        entries.push({ message, content: contents[index] as Buffer, state: 'waiting', call }),
      );
      bytes += size;
      return true;
    },
    /** The next to be sent, or null while the window is full. */
    next: (): Entry | null => {
      while (entries[toSend]?.state === 'confirmed') toSend++;
      const entry = entries[toSend];
      if (!entry || flying.messages >= windowMessages || flying.bytes >= windowBytes) return null;
      toSend++;
      entry.state = 'sent';
      flying.messages++;
      flying.bytes += entry.content.length;
      return entry;
    },
    confirm: (entry: Entry): void => {
      entry.state = 'confirmed';
      flying.messages--;
      flying.bytes -= entry.content.length;
      bytes -= entry.content.length;
      while (entries[first]?.state === 'confirmed') first++;
      if (first < 1000 && first < entries.length) return;
      entries = entries.slice(first);
      toSend -= first;
      first = 0;
    },
    /** A new connection: everything that is not confirmed is to be sent again. */
    rewind: (): void => {
      toSend = first;
      flying = { messages: 0, bytes: 0 };
      for (const entry of entries) if (entry.state === 'sent') entry.state = 'waiting';
    },
    clear: (): Entry[] => {
      const left = entries.slice(first).filter(({ state }) => state !== 'confirmed');
      entries = [];
      first = 0;
      toSend = 0;
      return left;
    },
  };
}
