import type Joi from 'joi';
import { problem, type ProblemMembers } from '@comanda/contracts/problem';

/** The part of a request that contains a parameter, named as in OpenAPI. */
export type ParamIn = 'query' | 'path' | 'header';
type FieldError = NonNullable<ProblemMembers['errors']>[number];

const escape = (part: string | number): string =>
  String(part).slice(0, 64).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
/** Returns a pointer to a key in the input [RFC 6901]. Long key names are shortened. */
export const pointerTo = (...path: readonly (string | number)[]): string =>
  path.map((part) => `/${escape(part)}`).join('');
/** Removes control characters. A client may put them into a key's name, and a terminal that shows the log would obey them. */
const printable = (sentence: string): string =>
  sentence
    .slice(0, 300)
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

/** Converts joi's errors to pointers [RFC 6901] and sentences. The sentences do not repeat values, which may be secret. */
export const fieldErrors = (error: Joi.ValidationError, paramIn?: ParamIn): FieldError[] =>
  error.details
    .flatMap((detail) =>
      keysAtFault(detail).map((keys) => ({ path: [...detail.path, ...keys], message: detail.message })),
    )
    .slice(0, 50)
    .map(({ path, message }) => ({
      pointer: pointerTo(...path),
      detail: printable(message),
      ...(paramIn && { in: paramIn }),
    }));

/** Returns the keys that do not fit together, because joi only names the object that contains them. */
function keysAtFault({ type, context = {} }: Joi.ValidationErrorItem): string[][] {
  if (type === 'object.and') return namesIn(context['missing']);
  if (type === 'object.without') return namesIn([context['peer']]);
  if (type === 'object.xor' || type === 'object.oxor') return namesIn(context['present']);
  return [[]];
}
const namesIn = (names: string[]): string[][] => names.map((name) => [name]);

/**
 * Checks `value` against `schema`. A body is not converted; in a query or path, strings become numbers where the schema
 * has numbers.
 * @throws 400 `validation_failed`, with all invalid fields
 */
export function validate<T>(schema: Joi.AnySchema<T>, value: unknown, paramIn?: ParamIn): T {
  const result = schema.validate(value, { abortEarly: false, convert: paramIn !== undefined });
  if (result.error) throw problem('validation_failed', { errors: fieldErrors(result.error, paramIn) });
  if (paramIn) refuseUnusualNumbers(value as Record<string, string>, result.value as Record<string, unknown>, paramIn);
  return result.value;
}

/** Rejects numbers written like `1e3`, `007` and `+7`, which joi accepts. Otherwise, a resource would have more than one URL. */
function refuseUnusualNumbers(
  sent: Record<string, string>,
  converted: Record<string, unknown>,
  paramIn: ParamIn,
): void {
  for (const [name, text] of Object.entries(sent))
    if (typeof converted[name] === 'number' && String(converted[name]) !== text)
      throw problem('validation_failed', {
        errors: [
          {
            pointer: pointerTo(name),
            detail: `"${escape(name)}" must be an integer in decimal digits, without sign, exponent or leading zeros`,
            in: paramIn,
          },
        ],
      });
}
