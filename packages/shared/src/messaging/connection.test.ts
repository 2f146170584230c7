import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { keepConnected, type ChannelModel } from './connection.ts';

type WithSocket = { connection: { stream: Socket } };

test('messages from one turn of the event loop are written together', async () => {
  const { rabbitmqUrl: url } = await isolatedServers('messaging-connection');
  const { promise, resolve } = Promise.withResolvers<ChannelModel>();
  const session = async (connection: ChannelModel): Promise<void> => {
    resolve(connection);
    await new Promise((ended) => connection.once('close', ended));
  };
  const kept = keepConnected({ url, name: 'test', logger: silentLogger, session });
  const opened = await promise;
  const channel = await opened.createConfirmChannel();
  const { stream: socket } = (opened as unknown as WithSocket).connection;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const waiting: number[] = [];
  socket.write = (...args: unknown[]) => {
    const isAccepted = write(...args);
    waiting.push(socket.writableCorked === 1 ? socket.writableLength : 0);
    return isAccepted;
  };

  for (const text of ['a', 'b', 'c']) channel.publish('amq.fanout', '', Buffer.from(text));
  await channel.waitForConfirms();

  const [one = 0, ...more] = waiting;

  expect(one).toBeGreaterThan(0);
  expect(more).toEqual([2 * one, 3 * one]);
  expect(socket.writableCorked).toBe(0);

  await kept.close();
});
