import { connect, type ChannelModel } from 'amqplib';
import { roomsOfEvent } from '@comanda/contracts/audience';
import { findTail, readStream } from '@comanda/shared/messaging/read-stream';
import type { StreamEvent } from './judge-screens.ts';

/** Reads the whole stream from the first broker that responds, so that it can be compared with what the screens received. */
export async function readReference(urls: readonly string[]): Promise<StreamEvent[]> {
  const connection = await connectToAny(urls);
  connection.on('error', () => undefined);
  try {
    const events: StreamEvent[] = [];
    const tail = await findTail(connection);
    for await (const portion of readStream(connection, { from: { offset: 0 }, prefetch: 1_000 })) {
      if (portion === 'gap') throw new Error('the stream does not begin where it began');
      for (const { offset, id, type, content } of portion) events.push(eventOf({ offset, id, type, content }));
      if ((events.at(-1)?.offset ?? -1) >= tail) break;
    }
    return events;
  } finally {
    await connection.close().catch(() => undefined);
  }
}

type Message = { offset: number; id: string; type: string; content: Buffer };

function eventOf({ offset, id, type, content }: Message): StreamEvent {
  const { subject = '', data } = JSON.parse(content.toString()) as { subject?: string; data?: unknown };
  return { offset, id, type, subject, rooms: roomsOfEvent(type, data) ?? [], data };
}

/**
 * Connects to the first broker that responds.
 * @throws the last broker's error
 */
async function connectToAny(urls: readonly string[]): Promise<ChannelModel> {
  let failure: unknown;
  for (const url of urls) {
    try {
      return await connect(url, { timeout: 5_000 });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
