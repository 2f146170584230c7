import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createLogger, type Logger } from './logger.ts';

function collect(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (line: Buffer) => lines.push(line.toString()));
  return { logger: createLogger({ service: 'test', level: 'info' }, stream), lines };
}

test('a log entry contains none of the values of its secret keys', () => {
  const { logger, lines } = collect();
  const secrets = { password: 'canary-1', transaction_password: 'canary-2', access_token: 'canary-3' };

  logger.info(
    {
      ...secrets,
      body: secrets,
      call: { body: { refresh_token: 'canary-4' } },
      headers: { authorization: 'canary-5' },
    },
    'x',
  );

  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'test', msg: 'x' });
});

test('the error from a failed MongoDB write is logged without the document', () => {
  const { lines, logger } = collect();
  const reply = { value: { senhaHash: 'canary' }, writeConcernError: { code: 64, errmsg: 'waiting timed out' } };
  const err = new mongoose.mongo.MongoWriteConcernError({ ok: 1, ...reply });

  logger.error({ err }, 'request failed');

  expect(lines[0]).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { type: 'MongoWriteConcernError', message: 'waiting timed out', code: 64, stack: expect.any(String) },
  });
});

test('only the type, message, code and stack of an error and of its causes are logged', () => {
  const { logger, lines } = collect();
  const cause = Object.assign(new TypeError('no such host'), { code: 'ENOTFOUND', input: 'redis://:canary-1@host' });
  const error = Object.assign(new Error('not connected', { cause }), {
    code: 'WRONGPASS',
    command: { name: 'auth', args: ['canary-2'] },
    errors: [new Error('canary-3')],
  });

  logger.error({ err: error }, 'x');

  expect(lines.join('')).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '').err).toEqual({
    type: 'Error',
    message: 'not connected',
    code: 'WRONGPASS',
    stack: error.stack,
    cause: { type: 'TypeError', message: 'no such host', code: 'ENOTFOUND', stack: cause.stack },
  });
});

test.each([
  ['a text', 'canary'],
  ['an object', { token: 'canary', url: 'canary' }],
  ['nothing', undefined],
])("the value isn't logged when %s is thrown instead of an error", (_what, thrown) => {
  const { logger, lines } = collect();
  logger.error({ err: thrown }, 'x');
  expect(lines[0]).not.toContain('canary');
});

test("a command's arguments aren't logged when Redis repeats them in an error", () => {
  const { logger, lines } = collect();
  const error = new Error("ERR unknown command 'auth', with args beginning with: 'default' 'canary' ");
  logger.warn({ err: error }, 'x');
  expect(lines[0]).toContain("unknown command 'auth'");
  expect(lines[0]).not.toContain('canary');
});
