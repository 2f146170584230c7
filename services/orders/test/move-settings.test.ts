import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { ordersPreparation } from '../src/preparation.ts';
import { createRestaurantStore } from '../src/restaurant/restaurant-store.ts';

let connection: Connection;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('move-settings');
  connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
});
afterAll(() => connection.close());

test('when managers had set something before 1.0.0, then the preparation keeps it, and it can be changed', async () => {
  const documents = connection.collection<{ _id: string }>('restaurant');
  const service_charge = { rate: '12.50', optional: false };
  await documents.insertOne({ _id: 'settings', name: 'Cantina', service_charge, version: 7 } as never);

  await prepareDatabase(connection, ordersPreparation, silentLogger);

  const restaurant = createRestaurantStore(connection);
  const settings = await restaurant.getSettings();
  expect(settings).toEqual({
    name: 'Cantina',
    language: 'pt-BR',
    serviceCharge: service_charge,
    tipSuggestions: [],
    waiterDiscountLimit: '0.00',
    version: 7,
  });
  expect(await documents.countDocuments({ _id: 'settings' })).toBe(0);
  await restaurant.updateSettings({ ...settings, name: 'Cantina da Praça', version: 8 });
  expect(await restaurant.getSettings()).toMatchObject({ name: 'Cantina da Praça', version: 8 });
});
