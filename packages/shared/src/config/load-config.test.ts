import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Joi from 'joi';
import {
  ConfigError,
  loadConfig,
  mongodbSettings,
  rabbitmqSettings,
  redisSettings,
  secretSetting,
  setting,
  urlSetting,
} from './load-config.ts';

const settings = {
  port: setting('PORT', Joi.number().port().default(3000), 'The port'),
  databaseUri: setting('DATABASE_URI', Joi.string().uri().required(), 'The database'),
  sealingSecret: secretSetting('SEALING_SECRET', Joi.string().min(16).required(), 'Seals the keys'),
};
const complete = { DATABASE_URI: 'mongodb://127.0.0.1', SEALING_SECRET: 'a'.repeat(16) };

const messageOf = (env: Record<string, string>): string => {
  try {
    loadConfig(settings, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
};

describe('loadConfig', () => {
  test('returns typed and frozen settings', () => {
    const config = loadConfig(settings, { ...complete, PORT: '8080', UNRELATED: 'x' });

    expect(config).toEqual({ port: 8080, databaseUri: 'mongodb://127.0.0.1', sealingSecret: 'a'.repeat(16) });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('uses the default for an empty setting', () => {
    expect(loadConfig(settings, { ...complete, PORT: '' }).port).toBe(3000);
  });

  test('lists all invalid settings in one error', () => {
    const message = messageOf({ PORT: 'many' });

    expect(message).toContain('PORT: ');
    expect(message).toContain('DATABASE_URI: ');
    expect(message).toContain('SEALING_SECRET: ');
  });

  test('shows the expected and the actual value of an invalid setting', () => {
    expect(messageOf({ ...complete, PORT: 'many' })).toContain("PORT: must be a number, instead got 'many' (The port)");
    expect(messageOf({ SEALING_SECRET: complete.SEALING_SECRET })).toContain(
      'DATABASE_URI: is required (The database)',
    );
  });

  test('hides the value of an invalid secret', () => {
    expect(messageOf({ ...complete, SEALING_SECRET: 'canary' })).not.toContain('canary');
  });

  test('reads a secret from its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    try {
      writeFileSync(join(folder, 'secret'), `${'f'.repeat(20)}\n`);
      const config = loadConfig(settings, {
        DATABASE_URI: complete.DATABASE_URI,
        SEALING_SECRET_FILE: join(folder, 'secret'),
      });

      expect(config.sealingSecret).toBe('f'.repeat(20));
      expect(messageOf({ ...complete, SEALING_SECRET_FILE: join(folder, 'absent') })).toContain('ENOENT');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('rejects a demo secret in production', () => {
    const demo = { ...complete, SEALING_SECRET: 'demo-only-sealing-secret' };

    expect(messageOf({ ...demo, NODE_ENV: 'production' })).toContain('SEALING_SECRET: a demo secret');

    const encoded = { ...complete, SEALING_SECRET: Buffer.from('demo-only-sealing').toString('base64') };

    expect(messageOf({ ...encoded, NODE_ENV: 'production' })).toContain('SEALING_SECRET: a demo secret');
    expect(loadConfig(settings, demo).sealingSecret).toBe(demo.SEALING_SECRET);
  });

  test('requires a URL in production if its default is on the local machine', () => {
    const urls = {
      kitchenUrl: urlSetting('KITCHEN_URL', { ofOneMachine: 'http://127.0.0.1:3009', about: 'The kitchen' }),
    };

    expect(() => loadConfig(urls, { NODE_ENV: 'production', KITCHEN_URL: '' })).toThrow(
      'KITCHEN_URL: is required in production (The kitchen)',
    );
    expect(loadConfig(urls, { NODE_ENV: 'production', KITCHEN_URL: 'http://kitchen' }).kitchenUrl).toBe(
      'http://kitchen',
    );
    expect(loadConfig(urls, {}).kitchenUrl).toBe('http://127.0.0.1:3009');
  });
});

describe('server URLs', () => {
  const servers = { ...mongodbSettings('test'), ...redisSettings, ...rabbitmqSettings };
  const urls = {
    MONGODB_URI: 'mongodb://orders:canary@127.0.0.1',
    REDIS_URL: 'redis://:canary@127.0.0.1',
    RABBITMQ_URL: 'amqp://orders:canary@127.0.0.1/shop',
  };
  const messageFor = (env: Record<string, string>): string => {
    try {
      loadConfig(servers, env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  };

  test('are read from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    try {
      const env = Object.fromEntries(
        Object.entries(urls).map(([name, url]) => {
          writeFileSync(join(folder, name), `${url}\n`);
          return [`${name}_FILE`, join(folder, name)];
        }),
      );
      expect(loadConfig(servers, env)).toMatchObject({
        mongodbUri: urls.MONGODB_URI,
        redisUrl: urls.REDIS_URL,
        rabbitmqUrl: urls.RABBITMQ_URL,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(Object.keys(urls))('cause an error that names %s but hides its value', (name) => {
    const message = messageFor({ ...urls, [name]: 'https://user:canary@host/ /' });

    expect(message).toContain(`${name}: has the wrong format`);
    expect(message).not.toContain('canary');
  });

  test('can list several nodes', () => {
    const several = {
      MONGODB_URI: 'mongodb://a:1,b:2/?replicaSet=main',
      REDIS_URL: 'redis+sentinel://:canary@a:1,b:2/main',
      RABBITMQ_URL: 'amqp://orders:canary@a/shop,amqp://orders:canary@b/shop',
    };

    expect(messageFor(several)).toBe('');
    expect(messageFor({ ...several, REDIS_URL: 'redis+sentinel://a:1,b:2' })).toContain('REDIS_URL');
    expect(messageFor({ ...several, RABBITMQ_URL: 'amqp://a,http://b' })).toContain('RABBITMQ_URL');
  });

  test.each([
    'amqp://orders:canary@a/shop,amqp://guest:guest@b/shop',
    'amqp://guest:guest@rabbitmq:5672',
    'amqp://gu%65st:g%75est@rabbitmq/shop',
    'amqps://rabbitmq/shop',
    'amqp://rabbitmq',
  ])('are rejected in production if they use the default account: %s', (url) => {
    const env = { ...urls, RABBITMQ_URL: url };

    expect(messageFor({ ...env, NODE_ENV: 'production' })).toContain('RABBITMQ_URL: the account guest:guest');
    expect(messageFor(env)).toBe('');
  });

  test('are accepted in production if they use another account', () => {
    expect(messageFor({ ...urls, NODE_ENV: 'production' })).toBe('');
    const account = { ...urls, RABBITMQ_URL: 'amqp://guest:another%@rabbitmq' };
    expect(messageFor({ ...account, NODE_ENV: 'production' })).not.toContain('guest:guest');
  });
});
