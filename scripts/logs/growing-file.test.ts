import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openGrowingFile } from './growing-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  path = join(folder, 'orders.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a growing file', () => {
  test('returns each new line once', () => {
    const file = openGrowingFile(path);
    expect(file.read()).toEqual([]);

    writeFileSync(path, 'one\ntwo\nthr');
    expect(file.read()).toEqual(['one', 'two']);
    appendFileSync(path, 'ee\n');
    expect(file.read()).toEqual(['three']);
    expect(file.read()).toEqual([]);
  });

  test('returns only its end at first if it is long already', () => {
    writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(5_000));

    const lines = openGrowingFile(path).read();

    expect(lines.length).toBeLessThan(5_000);
    expect(new Set(lines)).toEqual(new Set(['x'.repeat(99)]));
  });

  test('is read from its start after it was emptied', () => {
    writeFileSync(path, 'one\ntwo\nthr');
    const file = openGrowingFile(path);
    file.read();

    writeFileSync(path, 'new\n');

    expect(file.read()).toEqual(['new']);
  });
});
