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

/** The file in the broker's data folder that contains the names of its streams. */
const registry = 'mnesia/comanda@localhost/coordination/comanda@localhost/names.dets';

/**
 * Starts a RabbitMQ server with the stream for one test, which can kill it at any time. After declaring its first stream, a
 * broker needs about a second to record on disk that it has streams. A broker that is killed earlier loses the stream, so this
 * function waits.
 */
export async function startOwnBroker(): Promise<OwnServer> {
  const broker = await startOwnServer('rabbitmq');
  const connection = await connect(broker.url);
  connection.on('error', () => undefined); // Ignored, because a test that kills its broker causes such errors.
  await declareTopology(connection, silentLogger);
  await connection.close();
  const path = join(broker.dataDir, registry);
  const isOnDisk = (): boolean => existsSync(path) && readFileSync(path).includes('rabbit_stream_coordinator');
  await until(isOnDisk, { what: 'the stream to be on disk', timeoutMs: 20_000 });
  return broker;
}

/** For each alarm, the arguments with which `rabbitmqctl` turns it on and off. */
const alarms = {
  memory: {
    on: ['set_vm_memory_high_watermark', '0.000001'],
    off: ['set_vm_memory_high_watermark', 'absolute', '1GB'],
  },
  disk: { on: ['set_disk_free_limit', '100000GB'], off: ['set_disk_free_limit', '50MB'] },
} as const;
type Alarm = keyof typeof alarms;

/**
 * Triggers an alarm, as if the broker had run out of memory or disk space. The broker still delivers messages, but accepts no
 * messages from publishers. Returns a function that ends the alarm.
 */
export async function provokeAlarm(broker: OwnServer, alarm: Alarm): Promise<() => Promise<void>> {
  await rabbitmqctl(broker, alarms[alarm].on);
  return () => rabbitmqctl(broker, alarms[alarm].off);
}

/** Runs `rabbitmqctl` with these arguments. @throws Error with the command's output if it fails */
export async function rabbitmqctl(broker: OwnServer, args: readonly string[]): Promise<void> {
  const { rabbitmq } = await findServers({ names: ['rabbitmq'], programsDir, log: () => undefined });
  // `rabbitmqctl` finds the broker with the help of the broker's own environment variables.
  const settings = readFileSync(`/proc/${broker.pid}/environ`, 'utf8')
    .split('\0')
    .filter((each) => /^(RABBITMQ_|ERL_EPMD_|HOME=)/.test(each));
  const env = { ...rabbitmq.env, ...Object.fromEntries(settings.map((each) => each.split(/=(.*)/s, 2))) };
  await promisify(execFile)(join(dirname(rabbitmq.server), 'rabbitmqctl'), args, { env });
}
