import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** The part of the driver's class `Connection` that is mended. */
type DriverConnection = EventEmitter & { error: Error | null };
type WriteCommand = (this: DriverConnection, command: unknown, options: unknown) => Promise<void>;
type Driver = { Connection: { prototype: { writeCommand?: WriteCommand & { mended?: true } } } };

/** The driver's own class, from where mongoose has it. */
export function driverConnection(): Driver['Connection'] {
  const mongoose = createRequire(import.meta.url).resolve('mongoose');
  return (createRequire(mongoose)('mongodb/lib/cmap/connection.js') as Driver).Connection;
}

/**
 * Mends MongoDB driver 7.8: a command written between the end of a socket and its `close` event waits for ever for a
 * `drain` that cannot come, and whoever waits for the command with it. Here it fails as soon as the connection closes.
 * @throws where the driver is another one
 */
export function patchDriver(): void {
  const { prototype } = driverConnection();
  const { writeCommand } = prototype;
  if (writeCommand?.mended) return;
  if (writeCommand?.length !== 2) throw new Error('this MongoDB driver is another than the one that is mended here');
  const mended: WriteCommand = async function mended(command, options) {
    const { promise: closed, reject } = Promise.withResolvers<never>();
    const onClose = (): void => reject(this.error ?? new Error('the connection was closed'));
    this.once('close', onClose);
    try {
      await Promise.race([writeCommand.call(this, command, options), closed]);
    } finally {
      this.off('close', onClose);
    }
  };
  prototype.writeCommand = Object.assign(mended, { mended: true as const });
}
