import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createSealer } from './seal.ts';

const secret = (): string => randomBytes(32).toString('base64');

describe('sealing', () => {
  test('when a box is opened with the same secret and label, then the content is returned', () => {
    const sealer = createSealer(secret());

    expect(sealer.open(sealer.seal(Buffer.from('a key'), 'kid-1'), 'kid-1').toString()).toBe('a key');
  });

  test('when the same content is sealed twice, then the boxes differ', () => {
    const sealer = createSealer(secret());

    expect(sealer.seal(Buffer.from('a key'), 'kid-1')).not.toBe(sealer.seal(Buffer.from('a key'), 'kid-1'));
  });

  test('when the secret, the label or one bit differs, then opening fails', () => {
    const sealer = createSealer(secret());
    const box = sealer.seal(Buffer.from('a key'), 'kid-1');
    const changed = Buffer.from(box, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;

    expect(() => createSealer(secret()).open(box, 'kid-1')).toThrow(/authenticate|tag|iv|initialization/i);
    expect(() => sealer.open(box, 'kid-2')).toThrow(/authenticate|tag|iv|initialization/i);
    expect(() => sealer.open(changed.toString('base64'), 'kid-1')).toThrow(/authenticate|tag|iv|initialization/i);
    expect(() => sealer.open('', 'kid-1')).toThrow(/authenticate|tag|iv|initialization/i);
  });

  test('when keys are derived, then they differ by purpose and by secret', () => {
    const [sealer, other] = [createSealer(secret()), createSealer(secret())];

    expect(sealer.derive('a')).toEqual(sealer.derive('a'));
    expect(sealer.derive('a')).not.toEqual(sealer.derive('b'));
    expect(sealer.derive('a')).not.toEqual(other.derive('a'));
  });
});
