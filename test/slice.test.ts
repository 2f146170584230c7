import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import { startHouse } from '@comanda/testing/house';
import type { House } from '@comanda/testing/house';
import { isolated } from '@comanda/testing/isolated';
import { openScreen } from '@comanda/testing/kitchen';
import type { Screen } from '@comanda/testing/kitchen';
import { until } from '@comanda/testing/until';

describe('the house', () => {
  let house: House;
  const opened: (() => Promise<void> | void)[] = [];
  const watch = async (url: string, token: string): Promise<Screen> => {
    const screen = openScreen(url, token);
    opened.push(screen.close);
    await screen.live();
    return screen;
  };
  beforeAll(async () => {
    house = await startHouse(await isolated('slice'));
    opened.push(house.stop);
    const manager = caller(house.gatewayUrl, { token: house.managerToken });
    await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
  }, 120_000);
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });
  const seen = (screen: Screen, orderId: number): string[] =>
    screen.events.filter(({ subject }) => subject === String(orderId)).map(({ type }) => type);

  test('when a customer orders, then kitchen and customer see it arrive and move, and nobody else does', async () => {
    const ana = await house.customer('Ana');
    const bia = await house.customer('Bia');
    const kitchen = await watch(house.notifierUrl, house.managerToken);
    const throughGateway = await watch(house.gatewayUrl, house.managerToken);
    const own = await watch(house.gatewayUrl, ana.token);
    const others = await watch(house.gatewayUrl, bia.token);

    const placed = await house.call('POST', '/orders', {
      token: ana.token,
      body: { items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' },
    });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ status: 'received', version: 1, total: '65.00', table: '12' });
    const { id } = placed.body;
    expect(placed.headers.get('location')).toBe(`/orders/${id}`);

    for (const status of ['preparing', 'ready', 'delivered']) {
      const moved = await house.call('PUT', `/orders/${id}`, { token: house.managerToken, body: { status } });
      expect(moved).toMatchObject({ status: 200, body: { status } });
    }
    const types = ['order.created', ...Array.from({ length: 3 }, () => 'order.status_changed')];
    for (const screen of [kitchen, throughGateway, own]) {
      await until(() => seen(screen, id).filter((type) => type === 'order.status_changed').length === 3, {
        timeoutMs: 10_000,
        what: 'three moves on the screen',
      });
      expect(seen(screen, id).filter((type) => types.includes(type))).toEqual(types);
    }
    expect(seen(others, id)).toEqual([]);

    const read = await house.call('GET', `/orders/${id}`, { token: ana.token });
    expect(read.body).toMatchObject({ id, status: 'delivered', version: 4 });
    const delivered = await house.call('GET', '/orders?status=delivered', { token: house.managerToken });
    expect(delivered.body.map((order: { id: number }) => order.id)).toContain(id);
    const another = await house.call('GET', `/orders/${id}`, { token: bia.token });
    expect(another).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
