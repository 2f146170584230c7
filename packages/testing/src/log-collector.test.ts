import { expect, test } from '@jest/globals';
import { createLogCollector, type LogSource } from './log-collector.ts';

const sourceOf = (name: string): LogSource => {
  const source = [...(globalThis.comandaLogSources ?? [])].find((each) => each.name === name);
  if (!source) throw new Error(`${name} is not registered`);
  return source;
};

test('a log collector collects plain text and lines of level warn and above', () => {
  const collector = createLogCollector('pieces');

  collector.write('{"level":"info","msg":"listening"}\n{"level":"wa');
  collector.write('rn","msg":"slow"}\n\nError: broken\n    at main.ts:1:1\n{"level":"error"');

  expect(sourceOf('pieces').takeLines()).toEqual([
    '{"level":"warn","msg":"slow"}',
    'Error: broken',
    '    at main.ts:1:1',
  ]);
});

test('a log collector returns each line once', () => {
  const collector = createLogCollector('taken');
  collector.write('first\n');
  sourceOf('taken').takeLines();

  collector.write('second\n');

  expect(sourceOf('taken').takeLines()).toEqual(['second']);
});

test('a log collector keeps the last 50 lines', () => {
  const collector = createLogCollector('many');

  for (let line = 1; line <= 60; line++) collector.write(`line ${line}\n`);

  const lines = sourceOf('many').takeLines();
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([50, 'line 11', 'line 60']);
});
