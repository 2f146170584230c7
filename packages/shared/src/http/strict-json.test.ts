import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));
const refused = (text: string) => {
  try {
    parse(text);
  } catch (error) {
    return error;
  }
  throw new Error(`accepted: ${text.slice(0, 100)}`);
};

describe('parseStrictJson', () => {
  test('returns the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'small', noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__'));

        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });
  test('rejects an object with a duplicate key', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (object, again) => {
        const keys = Object.keys(object).filter((key) => key !== '__proto__');
        fc.pre(keys.length > 0 && !JSON.stringify([object, again]).includes('__proto__'));
        const [key = ''] = keys;
        const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(again)}}`;

        expect(refused(text)).toMatchObject({ code: 'malformed_json', status: 400 });
      }),
    );
  });
  test('points to a duplicate key in a nested object', () => {
    expect(refused('{"items":[{"a":1},{"a":1,"b":{},"a":2}]}')).toMatchObject({
      members: { errors: [{ pointer: '/items/1/a', detail: 'This key occurs more than once.' }] },
    });
    expect(refused('{"a/b~":{"x":1,"x":1}}')).toMatchObject({ members: { errors: [{ pointer: '/a~1b~0/x' }] } });
  });
  test('rejects a duplicate key that contains an escape', () => {
    expect(refused('{"role":"customer","r\\u006fle":"manager"}')).toMatchObject({ code: 'malformed_json' });
  });
  test('accepts the same key in two objects', () => {
    expect(parse('[{"a":{"a":1}},{"a":1}]')).toEqual([{ a: { a: 1 } }, { a: 1 }]);
  });
  test('treats brackets, commas and quotes in strings as text', () => {
    const value = { 'a,"{[': 'x}],"\\', b: ['{"a":1,"a":2}', '\\"'] };

    expect(parse(JSON.stringify(value))).toEqual(value);
  });
  test('rejects the key __proto__, escaped or not', () => {
    for (const key of ['__proto__', '\\u005f_proto__'])
      expect(refused(`{"a":{"${key}":{"x":1}}}`)).toMatchObject({
        members: { errors: [{ pointer: '/a/__proto__' }] },
      });
  });
  test('rejects a value deeper than 32 levels', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

    expect(parse(deep(32))).toBeDefined();
    expect(refused(deep(33))).toMatchObject({ code: 'malformed_json' });
    expect(refused(deep(15_000))).toMatchObject({ code: 'malformed_json' });
    expect(refused('{"a":'.repeat(3000) + '1' + '}'.repeat(3000))).toMatchObject({ code: 'malformed_json' });
  });
  test.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '\ufeff{}', '{"a":1}x', 'undefined', '01'])(
    'rejects %j as not JSON',
    (text) => {
      expect(refused(text)).toMatchObject({ code: 'malformed_json', members: { detail: 'The body must be JSON.' } });
    },
  );
  test("reports that bytes aren't UTF-8", () => {
    expect(() => parseStrictJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toThrow('The body must be UTF-8.');
  });
  test("doesn't repeat values in its errors", () => {
    const error = refused('{"password":"canary-1","password":"canary-2"}');

    expect(JSON.stringify(error)).not.toContain('canary');
    expect(String(error)).not.toContain('canary');
  });
});
