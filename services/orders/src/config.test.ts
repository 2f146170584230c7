import { expect, test } from '@jest/globals';
import { loadConfig } from '@comanda/shared/config/load-config';
import { ordersSettings } from './config.ts';

const needed = { MONGODB_URI: 'mongodb://127.0.0.1', RABBITMQ_URL: 'amqp://127.0.0.1' };

test('when only what has no default is set, then the rest is a house in Brazil', () => {
  expect(loadConfig(ordersSettings, needed)).toMatchObject({
    port: 3001,
    mongodbDatabase: 'comanda_orders',
    currency: 'BRL',
    timeZone: 'America/Sao_Paulo',
  });
});

test('when settings are wrong, then all of them are named at once', () => {
  const env = { ...needed, TIME_ZONE: 'Mars/Base', CURRENCY: 'real', ORDER_QUEUE_LIMIT: '0' };
  expect(() => loadConfig(ordersSettings, env)).toThrow(/CURRENCY[^]*TIME_ZONE[^]*ORDER_QUEUE_LIMIT/);
});
