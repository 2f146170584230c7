import { Transform } from 'node:stream';
import { startTcpProxy } from './tcp-proxy.ts';

export type SilentBroker = {
  /** The broker's URL with the address of a proxy. */
  url: string;
  /** How many connections were opened so far. */
  connections: () => number;
  /** From now on, the current connections get no confirms for what they publish. Later ones get theirs. */
  loseConfirms: () => void;
  close: () => Promise<void>;
};

/**
 * A broker that neither confirms nor rejects what is published, as after a broken link between two brokers. Messages,
 * replies and heartbeats pass.
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

/** AMQP 0-9-1, 2.3.5: one byte type, two bytes channel, four bytes size, the payload, one byte end. */
const headerBytes = 7;
const methodFrame = 1;
/** basic.ack and basic.nack, as class id and method id. */
const confirms = new Set(['60.80', '60.120']);

const isConfirm = (frame: Buffer): boolean =>
  frame[0] === methodFrame && confirms.has(`${frame.readUInt16BE(headerBytes)}.${frame.readUInt16BE(headerBytes + 2)}`);

/** Passes on the frames for which `isPassed` is true. */
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
