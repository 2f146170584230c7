import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { callWaiter } from './call-waiter.ts';

let stack: Stack;
let staff: Client;
let guest: Client;
beforeAll(async () => {
  stack = await startRestaurant('simulation-call');
  const { gatewayUrl } = stack;
  staff = createClient({ url: gatewayUrl });
  guest = createClient({ url: gatewayUrl });
  await staff.signIn(managerCredentials);
});
afterAll(async () => {
  staff?.close();
  guest?.close();
  await stack?.close();
});

test("staff accept and complete a simulated guest's call", async () => {
  const { table_token } = await staff.calls.putTable({ table: `d-${randomUUID().slice(0, 8)}` });
  const { seating } = await guest.signInAsGuest({ table_token });
  const seen: string[] = [];
  const untilNextStep = async (): Promise<void> => {
    const waiting = await guest.calls.listCalls({});
    seen.push(...waiting.map(({ status, kind }) => `${kind} ${status}`));
  };

  await callWaiter({ guest, staff, untilNextStep }, { kind: 'bill', method: 'card' });

  expect(seating).toBeDefined();
  expect(seen).toEqual(['bill open', 'bill taken']);
  expect(await guest.calls.listCalls({})).toEqual([]);
});
