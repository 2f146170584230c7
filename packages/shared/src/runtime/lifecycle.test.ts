import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { closeInOrder } from './lifecycle.ts';
import { createLogger } from './logger.ts';

function logs() {
  const stream = new PassThrough();
  const lines: string[] = [];
  stream.on('data', (line: Buffer) => lines.push(line.toString()));
  return { logger: createLogger({ service: 'test', level: 'info' }, stream), lines };
}

describe('closing in order', () => {
  test('when there are several steps, then each waits for the one before', async () => {
    const order: string[] = [];
    const step = (what: string) => ({
      what,
      close: async () => {
        await Promise.resolve();
        order.push(what);
      },
    });
    await closeInOrder([step('door'), step('relay'), step('database')], logs().logger);
    expect(order).toEqual(['door', 'relay', 'database']);
  });

  test('when a step fails or hangs, then it is named in the log and the rest still closes', async () => {
    const { logger, lines } = logs();
    let closed = 0;
    await closeInOrder(
      [
        { what: 'failing', close: () => Promise.reject(new Error('no')) },
        { what: 'hanging', close: () => new Promise<void>(() => {}), timeoutMs: 10 },
        { what: 'last', close: () => void closed++ },
      ],
      logger,
    );
    expect(closed).toBe(1);
    expect(lines.join('')).toMatch(/"what":"failing"[^]*"what":"hanging"/);
  });
});

describe('the log', () => {
  test('when an entry holds secrets, then none of their values is written', () => {
    const { logger, lines } = logs();
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
});
