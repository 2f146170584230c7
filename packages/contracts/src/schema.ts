import Joi from 'joi';

/** The type of the values that a schema accepts. */
export type Infer<S> = S extends Joi.AnySchema<infer T> ? T : never;

type Optional<S> = S & { readonly '~optional': true };
export type Shape = Record<string, Joi.AnySchema>;
type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly '~optional': true } ? K : never }[keyof P];
type Flat<T> = { [K in keyof T]: T[K] };
export type FromShape<P> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Infer<P[K]> } & { [K in OptionalKeys<P>]?: Infer<P[K]> }
>;

/** Creates an object schema. Every key is required unless wrapped in `optional`; unknown keys are rejected. */
export const object = <P extends Shape>(shape: P): Joi.ObjectSchema<FromShape<P>> =>
  Joi.object<FromShape<P>>(
    Object.fromEntries(
      Object.entries(shape).map(([key, schema]) => [key, schema.$_getFlag('presence') ? schema : schema.required()]),
    ) as Joi.SchemaMap<FromShape<P>>,
  ).required();
export const optional = <S extends Joi.AnySchema>(schema: S): Optional<S> => schema.optional() as Optional<S>;
/**
 * Creates a schema that also accepts `null`. Uses `alternatives`, because joi's JSON Schema omits a null that is added with
 * `allow`.
 */
export const nullable = <T>(schema: Joi.AnySchema<T>): Joi.AnySchema<T | null> =>
  Joi.alternatives().try(schema, Joi.valid(null));
// Items must be marked as optional: joi takes a required item to mean "at least one item like this".
export const list = <T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> => Joi.array().items(item.optional());
export const oneOf = <const V extends readonly string[]>(...values: V): Joi.StringSchema<V[number]> =>
  Joi.string<V[number]>().valid(...values);
/** Creates a schema for a text with one or more of `values`, separated by commas. */
export const someOf = (values: readonly string[]): Joi.StringSchema =>
  Joi.string()
    .pattern(new RegExp(`^(${values.join('|')})(,(${values.join('|')})){0,${values.length - 1}}$`))
    .messages({ 'string.pattern.base': `{{#label}} must be one or more of ${values.join(', ')}, separated by commas` });
export const yesOrNo = (): Joi.BooleanSchema => Joi.boolean();

/**
 * Additions to the JSON Schema that joi generates, for the API documents: the component's name, and keywords that joi leaves out.
 * Each schema declares its additions next to the rule that they describe.
 */
export type Documentation = {
  name?: string;
  schema?: Readonly<Record<string, unknown>>;
  /** Exactly one of these keys is present. The documents show one object for each key. */
  exactlyOneOf?: readonly string[];
  /** Keys that are present only together with a key from `exactlyOneOf`: with `{ of: 'shares' }`, `of` accompanies `shares`. */
  together?: Readonly<Record<string, string>>;
};
export const documented = <S extends Joi.AnySchema>(schema: S, documentation: Documentation): S =>
  schema.meta(documentation);
/** Names a schema. The documents then show it once, as a component with this name. */
export const component = <S extends Joi.AnySchema>(name: string, schema: S): S => documented(schema, { name });
/** Requires exactly one of `keys` to be present. */
export const exactlyOneOf = <T>(schema: Joi.ObjectSchema<T>, ...keys: (keyof T & string)[]): Joi.ObjectSchema<T> =>
  documented(schema.xor(...keys), { exactlyOneOf: keys });

// Creates an error message that leaves out the value, which may be a secret.
const withoutValue = (rule: string) => ({ 'string.pattern.base': `{{#label}} ${rule}` });

/** Returns a text's length in Unicode code points, as contracts and stores count it. */
export const countCharacters = (value: string): number => Array.from(value).length;
const loneSurrogate = /\p{Surrogate}/u;
/**
 * Creates a schema for a text of `min` to `max` characters, counted as Unicode code points, as in JSON Schema. Lone surrogates
 * are rejected: JSON can escape them, but they are not valid Unicode.
 */
export const characters = (max: number, min = 0): Joi.StringSchema =>
  documented(
    Joi.string().custom((value: string, rule) => {
      if (value.length > max && countCharacters(value) > max) return rule.error('string.max', { limit: max });
      if (min > 0 && countCharacters(value) < min) return rule.error('string.min', { limit: min });
      return loneSurrogate.test(value) ? rule.message({ custom: '{{#label}} must be well-formed Unicode' }) : value;
    }),
    { schema: { maxLength: max, ...(min > 0 && { minLength: min }) } },
  );
// White space is listed explicitly, because `\s` does not match the same characters in all programming languages.
const blanks = String.raw`\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
const notInLines = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff`;
/** Matches characters whose appearance a joiner can change: emoji, and letters in scripts that use joiners. */
const joined = String.raw`[^\u0000-\u024f${blanks}${notInLines}]`;
const joinedText = String.raw`${joined}(?:[\u200c\u200d]${joined})+`;
const linePattern = new RegExp(
  `^[${blanks}]*(?:[^${blanks}${notInLines}]|${joinedText})(?:[^${notInLines}]|${joinedText})*$`,
  'u',
);
/**
 * Creates a schema for one line of text: at most `max` characters, not blank, without control characters. Characters that have no
 * width or change the text's direction are rejected too, because they make different names look the same. Joiners are allowed
 * where they are visible: in emoji, and between letters that are not Latin.
 */
export const line = (max: number): Joi.StringSchema =>
  characters(max)
    .pattern(linePattern)
    .messages(withoutValue('must be one line of text that is not blank and has no control or invisible characters'));
/**
 * Matches invisible characters that `line` allows: those in Unicode's `Default_Ignorable_Code_Point`, and blanks that are not
 * white space.
 */
const unseen =
  /[\u034f\u17b4\u17b5\u00ad\u115f\u1160\u2800\u3164\uffa0\ufff0-\ufff8\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u;
/**
 * Matches variation selectors after a character whose look they can't change. They can change emoji and some scripts, but not
 * Latin letters.
 */
const misplacedSelector =
  /(?<![#*0-9\u00a9\u00ae\u0250-\u180a\u180e-\ufdff\ufe10-\u{e00ff}])[\u180b-\u180d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/**
 * Creates a schema for a person's name: a line without any invisible characters. `line` allows some of them, because people paste
 * text with, for example, soft hyphens.
 */
export const personName = (max: number): Joi.StringSchema =>
  line(max).custom((value: string, rule) =>
    unseen.test(value) || misplacedSelector.test(value)
      ? rule.message({ custom: '{{#label}} must have no invisible characters' })
      : value,
  );
/** Creates a schema for text with several lines; may be empty. */
export const text = (max: number): Joi.StringSchema =>
  characters(max)
    .allow('')
    .pattern(/^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$/u)
    .messages(withoutValue('must not contain control characters other than line breaks and tabs'));
/** Creates a schema for a password or token. Services check further rules themselves. Error messages never contain the value. */
export const secret = (max: number, min = 0): Joi.StringSchema =>
  documented(characters(max, min), { schema: { format: 'password' } });
/** Creates a schema for a positive integer that a JSON number represents exactly. */
export const id = (): Joi.NumberSchema => Joi.number().integer().positive().max(Number.MAX_SAFE_INTEGER);
export const count = (): Joi.NumberSchema => Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER);
/**
 * Creates a schema for money in responses: a decimal string with exactly two decimal places, such as `"12.50"`; negative in some
 * journal entries.
 */
export const money = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^-?(0|[1-9][0-9]{0,17})\.[0-9]{2}$/)
    .messages(withoutValue('must be a decimal string with two decimal places'))
    .example('32.50');
/** Creates a schema for money in requests: a decimal string with at most two decimal places, from `"0"` to `"99999999.99"`. */
export const price = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(0|[1-9][0-9]{0,7})(\.[0-9]{1,2})?$/)
    .messages(withoutValue('must be a decimal string such as "12.50", at most 99999999.99'))
    .example('32.50');
/** Creates a schema for an amount in requests: a `price` that is not zero. */
export const amount = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(?!0(\.0{1,2})?$)(0|[1-9][0-9]{0,7})(\.[0-9]{1,2})?$/)
    .messages(withoutValue('must be a positive decimal string such as "12.50", at most 99999999.99'))
    .example('12.50');
/** Creates a schema for a rate in percent with at most two decimal places, from `"0"` to `"100"`. */
export const rate = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(100(\.0{1,2})?|[1-9]?[0-9](\.[0-9]{1,2})?)$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a percentage such as "10.00", at most 100' })
    .example('10.00');
/** Creates a schema like `rate` that rejects zero. */
export const percent = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(?!0(\.0{1,2})?$)(100(\.0{1,2})?|[1-9]?[0-9](\.[0-9]{1,2})?)$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a percentage from "0.01" to "100"' })
    .example('10.00');
/** Creates a schema for a three-letter ISO 4217 code. */
export const currencyCode = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .messages(withoutValue('must be an ISO 4217 code such as "BRL"'))
    .example('BRL');
/**
 * Creates a schema for a time in responses and events: UTC with milliseconds [RFC 3339]. Requests use `instant`, which accepts
 * all forms.
 */
export const time = (): Joi.StringSchema =>
  documented(
    Joi.string()
      .pattern(
        /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?Z$/,
      )
      .messages(withoutValue('must be a time in UTC such as "2026-11-20T21:00:00.000Z"'))
      .example('2026-11-20T21:00:00.000Z'),
    { schema: { format: 'date-time' } },
  );
/** Creates a schema for a SHA-256 in lower-case hexadecimal digits. */
export const sha256 = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .messages(withoutValue('must be 64 lower-case hexadecimal digits'))
    .example('0'.repeat(64));
const dateForm = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
/** Creates a schema for a date of the calendar without a time [RFC 3339], such as `2026-11-20`. */
export const date = (): Joi.StringSchema =>
  documented(
    Joi.string()
      .pattern(dateForm)
      .custom((value: string, rule) => {
        if (!dateForm.test(value)) return value; // the pattern has rejected it
        // `Date` turns 30 February into 2 March.
        const exists = new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);
        return exists ? value : rule.message({ custom: '{{#label}} must be a date that exists' });
      })
      .messages(withoutValue('must be a date such as "2026-11-20"'))
      .example('2026-11-20'),
    { schema: { format: 'date' } },
  );
export const tableName = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[A-Za-z0-9-]{1,16}$/)
    .messages(withoutValue('must be 1 to 16 letters, digits or hyphens'))
    .example('12');
/**
 * Creates a schema for a cursor: a position in a list, taken from the `Link` header in an earlier response. A list accepts
 * exactly the cursors that match `form`, so the documents state precisely which cursors are rejected.
 */
const cursor = (form: RegExp, example: string): Joi.StringSchema =>
  Joi.string()
    .pattern(form)
    .messages(withoutValue('must be a cursor from the Link header of an earlier response'))
    .example(example);
const page = (position: Joi.StringSchema) => ({
  limit: optional(id().max(200).example(50)),
  cursor: optional(position),
});
/** The query parameters for pages of a list that is sorted by id. The cursor is an id. */
export const pagesByNumber = page(cursor(/^[1-9][0-9]{0,14}$/, '1042'));
/**
 * The query parameters for pages of a list that is sorted by time. The cursor is a time in milliseconds since 1970 and a numeric
 * id.
 */
export const pagesByTime = page(cursor(/^[0-9]{1,13}-[1-9][0-9]{0,14}$/, '1795208400000-1042'));
/** Like `pagesByTime`, but the cursor's id has twelve bytes, in hexadecimal. */
export const pagesByTimeOfEvents = page(cursor(/^[0-9]{1,13}-[0-9a-f]{24}$/, '1795208400000-69209f3a5b1c2d3e4f506172'));
/** Like `pagesByTime`, but the cursor's id is that of a Pix. */
export const pagesByTimeOfPix = page(
  cursor(/^[0-9]{1,13}-[A-Za-z0-9]{1,64}$/, '1795208400000-E00000000202611202100abcdef12345'),
);

/**
 * Returns a function that creates the schema for each key on first use and caches it, because schemas are slow to create and
 * describe.
 */
export function onceEach<K, S extends Joi.AnySchema>(make: (key: K) => S): (key: K) => S {
  const made = new Map<K, S>();
  return (key) => {
    const schema = made.get(key) ?? make(key);
    made.set(key, schema);
    return schema;
  };
}
