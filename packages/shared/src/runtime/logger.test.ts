import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLogger } from './logger.ts';

test('when a log entry contains secrets, then none of their values is written', () => {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (line: Buffer) => lines.push(line.toString()));
  const logger = createLogger({ service: 'test', level: 'info' }, stream);
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
