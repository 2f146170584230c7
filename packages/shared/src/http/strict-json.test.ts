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

describe('strict JSON', () => {
  test('when the text is JSON, then the value equals that of JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'small', noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__'));

        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });
  test('when an object has a duplicate key, then it is refused', () => {
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
  test('when a duplicate key is nested, then the pointer leads there', () => {
    expect(refused('{"items":[{"a":1},{"a":1,"b":{},"a":2}]}')).toMatchObject({
      members: { errors: [{ pointer: '/items/1/a', detail: 'This key occurs more than once.' }] },
    });
    expect(refused('{"a/b~":{"x":1,"x":1}}')).toMatchObject({ members: { errors: [{ pointer: '/a~1b~0/x' }] } });
  });
  test('when a duplicate key is written with an escape, then it is refused', () => {
    expect(refused('{"role":"customer","r\\u006fle":"manager"}')).toMatchObject({ code: 'malformed_json' });
  });
  test('when two objects have the same key, then both are accepted', () => {
    expect(parse('[{"a":{"a":1}},{"a":1}]')).toEqual([{ a: { a: 1 } }, { a: 1 }]);
  });
  test('when strings contain brackets, commas and quotes, then they are text', () => {
    const value = { 'a,"{[': 'x}],"\\', b: ['{"a":1,"a":2}', '\\"'] };

    expect(parse(JSON.stringify(value))).toEqual(value);
  });
  test('when a key is __proto__, escaped or not, then it is refused', () => {
    for (const key of ['__proto__', '\\u005f_proto__'])
      expect(refused(`{"a":{"${key}":{"x":1}}}`)).toMatchObject({
        members: { errors: [{ pointer: '/a/__proto__' }] },
      });
  });
  test('when the value is deeper than 32 levels, then it is refused', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

    expect(parse(deep(32))).toBeDefined();
    expect(refused(deep(33))).toMatchObject({ code: 'malformed_json' });
    expect(refused(deep(15_000))).toMatchObject({ code: 'malformed_json' });
    expect(refused('{"a":'.repeat(3000) + '1' + '}'.repeat(3000))).toMatchObject({ code: 'malformed_json' });
  });
  test.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '\ufeff{}', '{"a":1}x', 'undefined', '01'])(
    'when the text is %j, then it is refused as not JSON',
    (text) => {
      expect(refused(text)).toMatchObject({ code: 'malformed_json', members: { detail: 'The body must be JSON.' } });
    },
  );
  test('when the bytes are not UTF-8, then the error says so', () => {
    expect(() => parseStrictJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toThrow('The body must be UTF-8.');
  });
  test('when the text is refused, then the error does not repeat values', () => {
    const error = refused('{"password":"canary-1","password":"canary-2"}');

    expect(JSON.stringify(error)).not.toContain('canary');
    expect(String(error)).not.toContain('canary');
  });
});
