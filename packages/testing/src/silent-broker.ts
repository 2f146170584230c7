import { Transform } from 'node:stream';
import { startTcpProxy } from './tcp-proxy.ts';

export type SilentBroker = {
  /** The URL of the proxy in front of the broker. */
  url: string;
  /** Returns how many connections were opened so far. */
  connections: () => number;
  /** From now on, drops all confirms on the connections that are open. New connections still receive confirms. */
  loseConfirms: () => void;
  close: () => Promise<void>;
};

/**
 * Starts a proxy through which a broker seems to neither confirm nor reject published messages, as if the link between two
 * brokers were broken. Messages, other replies and heartbeats still pass.
 */
export async function startSilentBroker(brokerUrl: string): Promise<SilentBroker> {
  const open: { losesConfirms: boolean }[] = [];
  const proxy = await startTcpProxy(brokerUrl, {
    fromServer: () => {
      const connection = { losesConfirms: false };
      open.push(connection);
      return passFrames((frame) => !(connection.losesConfirms && isConfirm(frame)));
    },
  });
  return {
    url: proxy.url,
    connections: () => open.length,
    loseConfirms: () => {
      for (const connection of open) connection.losesConfirms = true;
    },
    close: proxy.close,
  };
}

/**
 * The number of bytes in front of an AMQP 0-9-1 frame's payload (2.3.5): one for the type, two for the channel, and four for the
 * payload's size. One more byte follows the payload.
 */
const headerBytes = 7;
const methodFrame = 1;
/** The methods basic.ack and basic.nack, each as `class id.method id`. */
const confirms = new Set(['60.80', '60.120']);

const isConfirm = (frame: Buffer): boolean =>
  frame[0] === methodFrame && confirms.has(`${frame.readUInt16BE(headerBytes)}.${frame.readUInt16BE(headerBytes + 2)}`);

/** Creates a stream that passes only the frames for which `isPassed` returns true. */
function passFrames(isPassed: (frame: Buffer) => boolean): Transform {
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= headerBytes) {
        const length = headerBytes + rest.readUInt32BE(3) + 1;
        if (rest.length < length) break;
        const frame = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (isPassed(frame)) this.push(frame);
      }
      done();
    },
  });
}
