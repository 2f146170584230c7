import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** The driver's class `Connection`, as far as the patch needs it. */
type DriverConnection = EventEmitter & { error: Error | null };
type WriteCommand = (this: DriverConnection, command: unknown, options: unknown) => Promise<void>;
type Driver = { Connection: { prototype: { writeCommand?: WriteCommand & { patched?: true } } } };

/** Returns the class `Connection` from the copy of the driver that mongoose uses. */
export function driverConnection(): Driver['Connection'] {
  const mongoose = createRequire(import.meta.url).resolve('mongoose');
  return (createRequire(mongoose)('mongodb/lib/cmap/connection.js') as Driver).Connection;
}

/**
 * Works around a bug in version 7.8 of the MongoDB driver: if a command is written after the socket has ended but before its
 * `close` event, the command waits for `drain` forever. With the patch, it fails as soon as the connection closes.
 * @throws if the driver's method has changed
 */
export function patchDriver(): void {
  const { prototype } = driverConnection();
  const { writeCommand } = prototype;
  if (writeCommand?.patched) return;
  if (writeCommand?.length !== 2) throw new Error('the patch does not fit this version of the MongoDB driver');
  const patched: WriteCommand = async function patched(command, options) {
    const { promise: closed, reject } = Promise.withResolvers<never>();
    const onClose = (): void => reject(this.error ?? new Error('the connection was closed'));
    this.once('close', onClose);
    try {
      await Promise.race([writeCommand.call(this, command, options), closed]);
    } finally {
      this.off('close', onClose);
    }
  };
  prototype.writeCommand = Object.assign(patched, { patched: true as const });
}
