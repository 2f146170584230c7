import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { events, eventTypesOf, type EventType } from '@comanda/contracts/events';
import { heartbeatType } from '@comanda/shared/messaging/heartbeat';
import { declareTopology, exchange, stream } from '@comanda/shared/messaging/topology';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { connect, type ChannelModel } from 'amqplib';
import { createBrokerAccounts, type BrokerAccounts } from './least-rights/broker-accounts.ts';

// Tests which events each account from docs/run/least-privilege.md may publish.

const sources = { orders: '/orders', 'auth-stepup': '/auth-stepup', transfers: '/transfers', notifier: null } as const;
type Service = keyof typeof sources;
const services = Object.keys(sources) as Service[];

let accounts: BrokerAccounts;
const connections = new Map<Service, ChannelModel>();

beforeAll(async () => {
  accounts = await createBrokerAccounts(await isolatedServers('permissions'));
  for (const service of services) {
    const connection = await connect(accounts.urlOf(service));
    connection.on('error', () => undefined);
    await declareTopology(connection, silentLogger);
    connections.set(service, connection);
  }
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await accounts?.remove();
});

type Target = { to: string; key: string };
/** Publishes an event. Returns `confirmed`, or the reason for which the broker closed the channel. */
async function publish(service: Service, { to, key }: Target): Promise<string> {
  const channel = await connections.get(service)?.createConfirmChannel();
  if (!channel) throw new Error(`${service} is not connected`);
  const refused = new Promise<string>((resolve) =>
    channel.on('error', (error: Error) => resolve(/ACCESS_REFUSED/.exec(error.message)?.[0] ?? error.message)),
  );
  channel.publish(to, key, Buffer.from('{}'));
  const confirmed = channel.waitForConfirms().then(
    () => 'confirmed',
    () => refused,
  );
  const result = await Promise.race([confirmed, refused]);
  if (result === 'confirmed') await channel.close();
  return result;
}

describe.each(services)('the RabbitMQ account for %s', (service) => {
  const source = sources[service];
  const own: readonly string[] = source === null ? [] : [...eventTypesOf(source), heartbeatType];
  const all = [...(Object.keys(events) as EventType[]), heartbeatType];

  test.each(all)(`can publish %s only if ${service} owns that event`, async (key) => {
    expect(await publish(service, { to: exchange, key })).toBe(own.includes(key) ? 'confirmed' : 'ACCESS_REFUSED');
  });

  test(`is rejected if ${service} writes to the stream directly`, async () => {
    expect(await publish(service, { to: '', key: stream })).toBe('ACCESS_REFUSED');
  });

  test(`is rejected if ${service} declares an exchange`, async () => {
    const channel = await connections.get(service)?.createChannel();
    channel?.on('error', () => undefined);
    await expect(channel?.assertExchange('comanda.other', 'fanout')).rejects.toThrow('ACCESS_REFUSED');
  });
});
