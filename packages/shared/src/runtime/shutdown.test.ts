import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLogger } from './logger.ts';
import { createShutdown } from './shutdown.ts';

/** Creates a shutdown that adds its log messages to `lines`. */
function createLogged() {
  const lines: { what?: string; msg: string }[] = [];
  const stream = new PassThrough();
  stream.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString()) as (typeof lines)[number]));
  return { shutdown: createShutdown(createLogger({ service: 'test', level: 'info' }, stream)), lines };
}

test('a shutdown closes everything one at a time, in reverse order of opening', async () => {
  const { shutdown } = createLogged();
  const order: string[] = [];
  for (const what of ['database', 'publisher', 'http'])
    shutdown.add(what, async () => {
      order.push(`${what} begins`);
      await new Promise(setImmediate);
      order.push(`${what} ends`);
    });

  await shutdown.close();

  expect(order).toEqual([
    'http begins',
    'http ends',
    'publisher begins',
    'publisher ends',
    'database begins',
    'database ends',
  ]);
});

test.each([
  ['throws', () => void JSON.parse('no JSON')],
  ['rejects', () => Promise.reject(new Error('no'))],
  ['takes longer than its time limit', () => new Promise<void>(() => {})],
])('a shutdown logs the name of a step that %s, and closes the rest', async (_what, close) => {
  const { shutdown, lines } = createLogged();
  const closed: string[] = [];
  shutdown.add('database', () => void closed.push('database'));
  shutdown.add('publisher', close, { timeoutMs: 10 });
  shutdown.add('http', () => void closed.push('http'));

  await shutdown.close();

  expect(closed).toEqual(['http', 'database']);
  expect(lines).toMatchObject([{ what: 'publisher', msg: 'could not close' }]);
});

test('a shutdown runs each step once even if it is closed twice', async () => {
  const { shutdown } = createLogged();
  const closed: string[] = [];
  shutdown.add('database', () => void closed.push('database'));

  await Promise.all([shutdown.close(), shutdown.close()]);

  expect(closed).toEqual(['database']);
});
