import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { createPublisher, toMessage } from './publisher.ts';
import { stream } from './topology.ts';

let url: string;
let connection: ChannelModel;
let channel: Channel;
beforeAll(async () => {
  url = (await isolatedServers('topology')).rabbitmqUrl;
  connection = await connect(url);
  channel = await connection.createChannel();
});
beforeEach(async () => {
  await channel.deleteQueue(stream);
});
afterAll(() => connection.close());

type Line = { level: string; msg: string; err?: { message: string } };
/** Starts a publisher, gives it one event to publish, and collects the warnings that it logs. */
function startPublisher() {
  const warnings: Line[] = [];
  const logger = createTestLogger('test', { onLine: (line) => warnings.push(JSON.parse(line) as Line) });
  const publisher = createPublisher({ url, name: 'test', logger });
  return { publisher, warnings, published: publisher.publish([toMessage(orderCreated({ orderId: 1 }))]) };
}

describe("a queue with the stream's name", () => {
  test.each([
    ['a classic queue', { durable: true }, 'classic'],
    ['a quorum queue', { durable: true, arguments: { 'x-queue-type': 'quorum' } }, 'quorum'],
    ['a queue with a limit', { durable: true, arguments: { 'x-max-length-bytes': 1_000_000_000 } }, 'classic'],
  ])('keeps publishers down, with a single warning, until it is removed (%s)', async (_what, options, named) => {
    await channel.assertQueue(stream, options);
    const { publisher, warnings, published } = startPublisher();
    await until(() => warnings.length > 0, { what: 'a warning' });
    await new Promise((resolve) => setTimeout(resolve, 2000)); // This is long enough for several attempts.

    expect(publisher.isUp()).toBe(false);
    expect((await channel.checkQueue(stream)).messageCount).toBe(0);
    expect(warnings).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'the connection to RabbitMQ is given up',
        err: expect.objectContaining({ message: expect.stringContaining('comanda.feed is not a stream') }),
      }),
    ]);
    expect(warnings[0]?.err?.message).toContain(named);

    await channel.deleteQueue(stream);
    await published;
    await publisher.close();
  });
});
