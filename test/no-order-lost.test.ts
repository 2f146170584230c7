import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { startStack, type Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { startOwnBroker } from '@comanda/testing/own-broker';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';

describe('no accepted order is lost on its way to the kitchen', () => {
  let stack: Stack;
  let broker: OwnServer;
  let kitchenFeed: FeedClient;
  const opened: (() => Promise<void> | void)[] = [];

  beforeAll(async () => {
    broker = await startOwnBroker();
    opened.push(() => broker.discard());
    stack = await startStack(
      { ...(await isolatedServers('lost')), rabbitmqUrl: broker.url },
      { RATE_LIMIT_USER: '1000000', RATE_LIMIT_STAFF: '1000000', RATE_LIMIT_ADDRESS_USERS: '1000000' },
    );
    opened.push(stack.close);
    const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
    await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
    kitchenFeed = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
    opened.push(kitchenFeed.close);
    await kitchenFeed.untilStatus('live', 20_000);
  }, 120_000);
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });

  /** Eight clients place orders until they are stopped. Each repeats a call with its key until it is answered. */
  function startOrdering() {
    const accepted: number[] = [];
    let stopped = false;
    const runClient = async (): Promise<void> => {
      while (!stopped) {
        const key = randomUUID();
        for (let answered = false; !answered;) {
          const answer = await stack
            .call('POST', '/orders', {
              token: stack.managerToken,
              headers: { 'idempotency-key': key },
              body: { items: [{ name: 'Feijoada', quantity: 1 }] },
            })
            .catch((error: unknown) => {
              if (error instanceof TypeError) return null; // the connection broke
              throw error;
            });
          if (answer?.status === 201) {
            accepted.push(answer.body.id);
            answered = true;
          } else {
            if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`refused: ${answer.text}`);
            await pause(50);
          }
        }
        await pause(20);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, runClient));
    return {
      /** Ids of all orders that were answered with 201. */
      accepted,
      reach: (count: number) =>
        until(() => accepted.length >= count, { timeoutMs: 30_000, what: `${count} orders to be accepted` }),
      stop: async () => {
        stopped = true;
        await clients;
      },
    };
  }
  async function expectAllReceived(accepted: readonly number[]): Promise<void> {
    const missing = (): number[] => {
      const created = kitchenFeed.events.filter(({ type }) => type === 'order.created');
      const subjects = new Set(created.map(({ subject }) => Number(subject)));
      return accepted.filter((id) => !subjects.has(id));
    };
    await until(() => missing().length === 0, { timeoutMs: 30_000, what: 'every accepted order in the feed' }).catch(
      (error: unknown) => {
        throw new Error(`missing ${missing().length} of ${accepted.length}: ${missing().slice(0, 10).join()}`, {
          cause: error,
        });
      },
    );
    expect(new Set(accepted).size).toBe(accepted.length);
    // An event may come twice; two events with one id may not.
    const texts = new Map(kitchenFeed.events.map((event) => [event.id, JSON.stringify(event)]));
    for (const event of kitchenFeed.events) expect(JSON.stringify(event)).toBe(texts.get(event.id));
  }

  test('when orders is killed between write and publish, then its orders still arrive', async () => {
    const ordering = startOrdering();
    for (let kill = 1; kill <= 3; kill++) {
      await ordering.reach(kill * 40);
      await stack.services.orders.end('SIGKILL');
      await stack.services.orders.start();
    }
    await ordering.reach(ordering.accepted.length + 40);
    await ordering.stop();
    await expectAllReceived(ordering.accepted);
  }, 90_000);

  test('when the broker is killed under load, then every order arrives once it is back', async () => {
    const ordering = startOrdering();
    await ordering.reach(40);
    broker.kill('SIGKILL');
    await broker.exited;
    await ordering.reach(ordering.accepted.length + 40);
    broker = await broker.startAgain();
    await ordering.reach(ordering.accepted.length + 40);
    await ordering.stop();
    await expectAllReceived(ordering.accepted);
  }, 90_000);

  test('when the notifier is killed under load, then the feed replays what was missed', async () => {
    const ordering = startOrdering();
    await ordering.reach(40);
    await stack.services.notifier.end('SIGKILL');
    await ordering.reach(ordering.accepted.length + 40);
    await stack.services.notifier.start();
    await ordering.reach(ordering.accepted.length + 40);
    await ordering.stop();
    await expectAllReceived(ordering.accepted);
  }, 90_000);

  test('when orders is frozen, then screens are told `stalled`, and `live` when it goes on', async () => {
    await kitchenFeed.untilStatus('live', 20_000);
    const { orders } = stack.services;
    process.kill(orders.pid(), 'SIGSTOP');
    await kitchenFeed.untilStatus('stalled', 15_000).finally(() => process.kill(orders.pid(), 'SIGCONT'));
    await kitchenFeed.untilStatus('live', 10_000);
  }, 60_000);

  test('when services stop and start in a random order, then all become ready again', async () => {
    const names: ServiceName[] = ['gateway', 'orders', 'auth-stepup', 'transfers', 'notifier'];
    const shuffled = (): ServiceName[] =>
      names
        .map((name) => ({ name, at: Math.random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ name }) => name);
    const [stopping, starting] = [shuffled(), shuffled()];
    for (const name of stopping) await stack.services[name].end('SIGTERM');
    for (const name of starting) await stack.services[name].start();
    await Promise.all(names.map((name) => stack.services[name].ready())).catch((error: unknown) => {
      throw new Error(`stopped ${stopping.join()}, started ${starting.join()}`, { cause: error });
    });
    const ordering = startOrdering();
    await ordering.reach(10);
    await ordering.stop();
    await expectAllReceived(ordering.accepted);
  }, 90_000);
});
