import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { createMarkStore, type MarkStore } from '../src/pix/mark-store.ts';

let connection: Connection;
let marks: MarkStore;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('pix-marks');
  connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
  marks = createMarkStore(connection);
});
beforeEach(() => connection.collection('pix_marks').deleteMany({}));
afterAll(() => connection.close());

const now = new Date('2026-11-20T20:00:00Z');
const after = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const pause = (minutes: number): Promise<void> => marks.setPause({ now, until: after(minutes) });
const isPaused = (minutes: number): Promise<boolean> => marks.isPaused(after(minutes));

describe('a pause that the bank has asked for', () => {
  test('lasts as long as it says, even hours', async () => {
    await pause(180);

    expect([await isPaused(0), await isPaused(179), await isPaused(180)]).toEqual([true, true, false]);
  });

  test('ends after a day at the latest', async () => {
    await pause(10_000);

    expect([await isPaused(0), await isPaused(1439), await isPaused(1440)]).toEqual([true, true, false]);
  });

  test('is not ended by a shorter one of another call', async () => {
    await pause(10);
    await pause(1);

    expect(await isPaused(9)).toBe(true);
  });

  test('counts no more, and can be replaced, if a wrong clock has put it far away', async () => {
    await marks.setPause({ now: after(100_000), until: after(100_001) });
    expect(await isPaused(0)).toBe(false);

    await pause(1);

    expect([await isPaused(0), await isPaused(1)]).toEqual([true, false]);
  });
});
