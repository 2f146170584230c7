import { Transform } from 'node:stream';
import { startTcpProxy } from './tcp-proxy.ts';

export type SilentBroker = {
  /** The URL of the proxy in front of the broker. */
  url: string;
  /** Returns how many connections were opened so far. */
  connections: () => number;
  /** Drops all further confirms on the current connections. New connections still get theirs. */
  loseConfirms: () => void;
  close: () => Promise<void>;
};

/**
 * Starts a broker that neither confirms nor rejects published messages, as if the link between two brokers were broken. Messages,
 * replies and heartbeats still pass.
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
 * An AMQP 0-9-1 frame (2.3.5) has one byte for the type, two for the channel, four for the size, the payload, and an end byte.
 */
const headerBytes = 7;
const methodFrame = 1;
/** basic.ack and basic.nack, as class id and method id. */
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
