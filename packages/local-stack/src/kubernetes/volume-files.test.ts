import { describe, expect, test } from '@jest/globals';
import type { Volume } from './pod.ts';
import { filesOf } from './volume-files.ts';

const items = [{ key: 'mongodb_uri', path: 'uri' }];
const secret = (more: object): Volume => ({ name: 'secrets', secret: { secretName: 'comanda-orders', ...more } });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the files of a volume', () => {
  test('when a Secret has more keys than the volume names, then there are only those, decoded', () => {
    const files = filesOf(secret({ items }), { mongodb_uri: base64('mongodb://db'), pin_pepper: base64('x') });

    expect(files).toEqual([{ path: 'uri', content: Buffer.from('mongodb://db') }]);
  });

  test('when a volume names no keys, then there is a file for each', () => {
    const files = filesOf({ name: 'authority', configMap: { name: 'authority' } }, { 'ca.pem': 'a certificate' });

    expect(files).toEqual([{ path: 'ca.pem', content: 'a certificate' }]);
  });

  test('when a key is missing, then it is refused with its name', () => {
    expect(() => filesOf(secret({ items }), {})).toThrow('secrets/comanda-orders has no key mongodb_uri');
  });

  test('when a key of an optional Secret is missing, then its file is', () => {
    expect(filesOf(secret({ items, optional: true }), {})).toEqual([]);
  });
});
