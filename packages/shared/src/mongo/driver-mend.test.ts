import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { driverConnection, mendDriver } from './driver-mend.ts';

test('when a command is written to a socket that has ended and not closed yet, then it fails and does not wait', async () => {
  mendDriver();
  mendDriver();
  const socket = new Socket();
  const connection = Object.assign(new EventEmitter(), { socket, error: null as Error | null });
  socket.destroy();
  const command = { toBin: () => Promise.resolve([Buffer.from('command')]) };
  const { writeCommand } = driverConnection().prototype;
  const written = writeCommand?.call(connection, command, { agreedCompressor: 'none' });
  // What the driver itself does on that event.
  socket.once('close', () => {
    connection.error = new Error('connection 1 closed');
    connection.emit('close');
  });
  await once(socket, 'close');
  await expect(written).rejects.toThrow('connection 1 closed');
  expect(connection.listenerCount('close')).toBe(0);
});
