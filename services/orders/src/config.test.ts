import { expect, test } from '@jest/globals';
import { loadConfig } from '@comanda/shared/config/load-config';
import { ordersSettings } from './config.ts';

const required = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  RABBITMQ_URL: 'amqp://127.0.0.1',
  SERVICE_SECRET: Buffer.alloc(32, 1).toString('base64'),
  CALLER_SECRETS: `auth-stepup:${Buffer.alloc(32, 2).toString('base64')}`,
};

test('the defaults suit a restaurant in Brazil', () => {
  expect(loadConfig(ordersSettings, required)).toMatchObject({
    port: 3001,
    mongodbDatabase: 'comanda_orders',
    currency: 'BRL',
    timeZone: 'America/Sao_Paulo',
    dayStartsAt: '04:00',
  });
});

test('the error for wrong settings lists all of them', () => {
  const env = { ...required, TIME_ZONE: 'Mars/Base', DAY_STARTS_AT: '24:00', CURRENCY: 'real', ORDER_QUEUE_LIMIT: '0' };
  expect(() => loadConfig(ordersSettings, env)).toThrow(/CURRENCY[^]*TIME_ZONE[^]*DAY_STARTS_AT[^]*ORDER_QUEUE_LIMIT/);
});
