import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { declareTopology } from '@comanda/shared/messaging/topology';
import { startOwnServer } from './own-server.ts';
import type { OwnServer } from './own-server.ts';
import { silentLogger } from './silent-logger.ts';
import { until } from './until.ts';

/** Where a broker keeps which streams it runs, under the name that our brokers have. */
const registry = 'mnesia/comanda@localhost/coordination/comanda@localhost/names.dets';

/**
 * A RabbitMQ of a test's own, with the stream, to be killed at any time. It writes to disk that it has streams about one
 * second after the first one was declared, and a broker that was killed before that never finds the stream again.
 */
export async function startOwnBroker(): Promise<OwnServer> {
  const broker = await startOwnServer('rabbitmq');
  const connection = await connect(broker.url);
  await declareTopology(connection, silentLogger);
  await connection.close();
  const path = join(broker.dataDir, registry);
  const isOnDisk = (): boolean => existsSync(path) && readFileSync(path).includes('rabbit_stream_coordinator');
  await until(isOnDisk, { what: 'the stream to be on disk', timeoutMs: 20_000 });
  return broker;
}
