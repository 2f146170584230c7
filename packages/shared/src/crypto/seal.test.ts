import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { createSealer, sealingSettings } from './seal.ts';

const base64 = (bytes = 32): string => randomBytes(bytes).toString('base64');
const secret = (): string => `test:${base64()}`;

describe('createSealer', () => {
  test('opens sealed data with the same secret and label', () => {
    const sealer = createSealer(secret());

    expect(sealer.open(sealer.seal(Buffer.from('a key'), 'kid-1'), 'kid-1').toString()).toBe('a key');
  });

  test('seals the same content differently each time', () => {
    const sealer = createSealer(secret());

    expect(sealer.seal(Buffer.from('a key'), 'kid-1')).not.toBe(sealer.seal(Buffer.from('a key'), 'kid-1'));
  });

  test('rejects sealed data that was changed or sealed with another secret', () => {
    const sealer = createSealer(secret());
    const box = sealer.seal(Buffer.from('a key'), 'kid-1');
    const bytes = Buffer.from(box.slice('test:'.length), 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const failure = /authenticate|tag|iv|initialization|not in KEY_SEALING_SECRET/i;

    expect(() => createSealer(secret()).open(box, 'kid-1')).toThrow(failure);
    expect(() => createSealer(`other:${base64()}`).open(box, 'kid-1')).toThrow(failure);
    expect(() => sealer.open(box, 'kid-2')).toThrow(failure);
    expect(() => sealer.open(`test:${bytes.toString('base64')}`, 'kid-1')).toThrow(failure);
    expect(() => sealer.open('', 'kid-1')).toThrow(failure);
    expect(() => sealer.open('test:', 'kid-1')).toThrow(failure);
  });

  test('opens old sealed data until the old secret is removed', () => {
    const [before, after] = [`2025:${base64()}`, `2026:${base64()}`];
    const old = createSealer(before);
    const both = createSealer(`${after},${before}`);
    const box = old.seal(Buffer.from('a key'), 'kid');
    const newBox = both.seal(Buffer.from('a key'), 'kid');

    expect(both.open(box, 'kid').toString()).toBe('a key');
    expect([both.isCurrent(box), both.isCurrent(newBox)]).toEqual([false, true]);
    expect(createSealer(after).open(newBox, 'kid').toString()).toBe('a key');
    expect(() => createSealer(after).open(box, 'kid')).toThrow('not in KEY_SEALING_SECRET');
    expect(() => old.open(newBox, 'kid')).toThrow('not in KEY_SEALING_SECRET');
  });

  test('derives a different key for each purpose and secret', () => {
    const [first, second] = [`a:${base64()}`, `b:${base64()}`];
    const sealer = createSealer(`${first},${second}`);

    expect([...sealer.derive('x').keys()]).toEqual(['a', 'b']);
    expect(sealer.derive('x')).toEqual(createSealer(`${first},${second}`).derive('x'));
    expect(sealer.derive('x').get('b')).toEqual(createSealer(second).derive('x').get('b'));
    expect(sealer.derive('x').get('a')).not.toEqual(sealer.derive('x').get('b'));
    expect(sealer.derive('x').get('a')).not.toEqual(sealer.derive('y').get('a'));
  });
});

describe('KEY_SEALING_SECRET', () => {
  const load = (value: string) => loadConfig(sealingSettings, { KEY_SEALING_SECRET: value });

  test('accepts one or more 32-byte secrets with different ids', () => {
    const several = `2026-11:${base64()},2025:${base64()}`;

    expect(load(several).keySealingSecret).toBe(several);
    expect(load(secret()).keySealingSecret).toMatch(/^test:/);
  });

  test.each([
    ['no id', base64()],
    ['a short secret', `a:${base64(31)}`],
    ['a long secret', `a:${base64(33)}`],
    ['the same id twice', `a:${base64()},a:${base64()}`],
    ['an empty id', `:${base64()}`],
    ['an id with a space', `a b:${base64()}`],
    ['an empty entry', `a:${base64()},`],
    ['a third part', `a:${base64()}:x`],
    ['text that is not base64', `a:${'*'.repeat(44)}`],
  ])('is rejected with %s', (_what, value) => {
    expect(() => load(value)).toThrow(ConfigError);
    expect(() => load(value)).toThrow(
      /^((?!\*\*\*)[\s\S])*KEY_SEALING_SECRET: has the wrong format((?!\*\*\*)[\s\S])*$/,
    );
  });
});
