import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { declareTopology } from '@comanda/shared/messaging/topology';
import { programsDir } from '@comanda/local-stack/root';
import { findServers } from '@comanda/local-stack/servers/find-servers';
import { startOwnServer, type OwnServer } from './own-server.ts';
import { silentLogger } from './silent-logger.ts';
import { until } from './until.ts';

/** The file in which a test's broker stores the names of its streams. */
const registry = 'mnesia/comanda@localhost/coordination/comanda@localhost/names.dets';

/**
 * Starts a RabbitMQ with the stream for one test, which can kill it at any time. The broker takes about a second to write to disk
 * that it has streams. If it is killed before that, the stream is lost, so this function waits.
 */
export async function startOwnBroker(): Promise<OwnServer> {
  const broker = await startOwnServer('rabbitmq');
  const connection = await connect(broker.url);
  connection.on('error', () => undefined); // These errors are expected when a test kills its broker.
  await declareTopology(connection, silentLogger);
  await connection.close();
  const path = join(broker.dataDir, registry);
  const isOnDisk = (): boolean => existsSync(path) && readFileSync(path).includes('rabbit_stream_coordinator');
  await until(isOnDisk, { what: 'the stream to be on disk', timeoutMs: 20_000 });
  return broker;
}

/** The arguments for `rabbitmqctl` that turn each alarm on and off. */
const alarms = {
  memory: {
    on: ['set_vm_memory_high_watermark', '0.000001'],
    off: ['set_vm_memory_high_watermark', 'absolute', '1GB'],
  },
  disk: { on: ['set_disk_free_limit', '100000GB'], off: ['set_disk_free_limit', '50MB'] },
} as const;
type Alarm = keyof typeof alarms;

/**
 * Triggers an alarm, as on a broker without free memory or disk space. The broker still delivers messages, but accepts none from
 * publishers. Returns a function that ends the alarm.
 */
export async function provokeAlarm(broker: OwnServer, alarm: Alarm): Promise<() => Promise<void>> {
  await rabbitmqctl(broker, alarms[alarm].on);
  return () => rabbitmqctl(broker, alarms[alarm].off);
}

/** Runs `rabbitmqctl` with these arguments. @throws Error with its output if the command fails */
export async function rabbitmqctl(broker: OwnServer, args: readonly string[]): Promise<void> {
  const { rabbitmq } = await findServers({ names: ['rabbitmq'], programsDir, log: () => undefined });
  // The broker's own settings tell its tools where to find it.
  const settings = readFileSync(`/proc/${broker.pid}/environ`, 'utf8')
    .split('\0')
    .filter((each) => /^(RABBITMQ_|ERL_EPMD_|HOME=)/.test(each));
  const env = { ...rabbitmq.env, ...Object.fromEntries(settings.map((each) => each.split(/=(.*)/s, 2))) };
  await promisify(execFile)(join(dirname(rabbitmq.server), 'rabbitmqctl'), args, { env });
}
