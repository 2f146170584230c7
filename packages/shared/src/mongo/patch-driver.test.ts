import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createLogger } from '../runtime/logger.ts';
import { connectMongo } from './connection.ts';
import { driverConnection } from './patch-driver.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

test('a command written to a socket that has ended but is not closed fails when the socket closes', async () => {
  // Connects twice: the second connection must not patch the driver again.
  for (let count = 0; count < 2; count++) {
    const link = connectMongo({
      uri: 'mongodb://127.0.0.1:1',
      database: 'none',
      logger,
      onConnect: () => Promise.resolve(),
    });
    await link.close();
  }
  const socket = new Socket();
  const connection = Object.assign(new EventEmitter(), { socket, error: null as Error | null });
  socket.destroy();
  const command = { toBin: () => Promise.resolve([Buffer.from('command')]) };
  const { writeCommand } = driverConnection().prototype;
  const written = writeCommand?.call(connection, command, { agreedCompressor: 'none' });
  // The driver reacts to this event in the same way.
  socket.once('close', () => {
    connection.error = new Error('connection 1 closed');
    connection.emit('close');
  });
  await once(socket, 'close');

  await expect(written).rejects.toThrow('connection 1 closed');
  expect(connection.listenerCount('close')).toBe(0);
});
