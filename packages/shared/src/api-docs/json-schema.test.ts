import { describe as suite, expect, test } from '@jest/globals';
import Joi from 'joi';
import { instant } from '@comanda/contracts/instant';
import {
  documented,
  exactlyOneOf,
  id,
  line,
  list,
  component,
  nullable,
  object,
  optional,
  text,
  time,
} from '@comanda/contracts/schema';
import { createSchemas, describe, exampleOf } from './json-schema.ts';

suite('in the JSON Schema for contracts', () => {
  test('a schema that accepts null lists null as a type', () => {
    expect(createSchemas().of(nullable(id()), 'sent')).toEqual({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      format: 'int64',
    });
  });

  test.each([
    ['an id', id(), 'int64'],
    ['a small number', id().max(99), 'int32'],
    ['a constant number', Joi.number().valid(422), 'int32'],
  ])('the format for %s shows how many bits the integer needs', (_what, schema, format) => {
    expect(createSchemas().of(schema, 'answered')).toMatchObject({ type: 'integer', format });
  });

  test("a pattern that Go can't parse is removed from responses", () => {
    const { of } = createSchemas();

    expect(of(text(20), 'answered')).not.toHaveProperty('pattern');
    expect(of(text(20), 'sent')).toHaveProperty('pattern');
  });

  test("a time has no pattern, because generated clients can't apply patterns to dates", () => {
    const { of } = createSchemas();

    expect(of(time(), 'answered')).toEqual({
      type: 'string',
      format: 'date-time',
      examples: ['2026-11-20T21:00:00.000Z'],
    });
    expect(of(nullable(time()), 'answered')).not.toHaveProperty('pattern');
    expect(of(instant(), 'sent')).toEqual(of(time(), 'answered'));
  });

  test("a text's maximum length appears in its JSON Schema", () => {
    expect(createSchemas().of(line(20), 'sent')).toMatchObject({ type: 'string', minLength: 1, maxLength: 20 });
  });

  test('unknown fields are rejected in requests but allowed in responses', () => {
    const schema = object({ at: object({ id: id() }) });
    const { of } = createSchemas();

    expect(of(schema, 'sent')).toMatchObject({
      additionalProperties: false,
      properties: { at: { additionalProperties: false } },
    });
    expect(of(schema, 'answered')).not.toHaveProperty('additionalProperties');
    expect(of(schema, 'answered').properties?.['at']).not.toHaveProperty('additionalProperties');
  });

  test('a named schema becomes a reusable component', () => {
    const schemas = createSchemas();
    const dish = component('Dish', object({ id: id() }));

    expect(schemas.of(list(dish), 'answered')).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Dish' } });
    expect(Object.keys(schemas.components)).toEqual(['Dish']);
    expect(() => schemas.of(component('Dish', object({ id: id(), more: id() })), 'answered')).toThrow(
      'two different schemas are named Dish',
    );
  });

  test('the JSON Schema and the validator agree when exactly one of two fields is required', () => {
    const schema = exactlyOneOf(object({ a: optional(id()), b: optional(id()) }), 'a', 'b');

    expect(createSchemas().of(schema, 'sent')).toMatchObject({
      oneOf: [
        { properties: { a: {} }, required: ['a'], additionalProperties: false },
        { properties: { b: {} }, required: ['b'], additionalProperties: false },
      ],
    });

    const schemas = createSchemas();
    schemas.of(component('Line', schema), 'sent');

    expect(Object.keys(schemas.components)).toEqual(['LineByA', 'LineByB', 'Line']);
    expect(schema.validate({ a: 1 }).error).toBeUndefined();
    expect(schema.validate({ a: 1, b: 1 }).error).toBeDefined();
    expect(schema.validate({}).error).toBeDefined();
  });

  test('a field for one alternative appears only in that alternative', () => {
    const one = object({ shares: optional(id()), of: optional(id()), rest: optional(id()) })
      .xor('shares', 'rest')
      .and('shares', 'of');
    const schema = documented(one, { exactlyOneOf: ['shares', 'rest'], together: { of: 'shares' } });

    const { oneOf } = createSchemas().of(schema, 'sent') as { oneOf: { properties: object; required: string[] }[] };

    expect(oneOf.map(({ properties, required }) => [Object.keys(properties), required])).toEqual([
      [
        ['shares', 'of'],
        ['of', 'shares'],
      ],
      [['rest'], ['rest']],
    ]);
  });

  test("conversion fails if joi can't convert a rule that the contract doesn't document", () => {
    const several = object({ a: optional(id()), b: optional(id()) }).or('a', 'b');

    expect(() => createSchemas().of(several, 'sent')).toThrow('a rule over several keys');

    const custom = Joi.string().custom((value: string) => value);

    expect(() => createSchemas().of(custom, 'sent')).toThrow('a custom rule');
    expect(createSchemas().of(documented(custom, { schema: { description: 'as it is' } }), 'sent')).toEqual({
      type: 'string',
      minLength: 1,
      description: 'as it is',
    });
  });

  test('a schema without an example gets one from its fields', () => {
    const schema = object({ dish: object({ id: id(), name: line(9).example('Feijoada') }), left: nullable(id()) });

    expect(exampleOf(describe(schema))).toEqual({ dish: { id: 1, name: 'Feijoada' }, left: 1 });
  });
});
