import type Joi from 'joi';
import { problem } from '@comanda/contracts/problems';
import type { ProblemMembers } from '@comanda/contracts/problems';

type Place = 'query' | 'path' | 'header';
type FieldError = NonNullable<ProblemMembers['errors']>[number];

const escape = (part: string | number): string =>
  String(part).slice(0, 64).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
/** The pointer to a key of whatever was sent [RFC 6901]; of a long name its beginning. */
export const pointerTo = (...path: readonly (string | number)[]): string =>
  path.map((part) => `/${escape(part)}`).join('');
/** A sentence for people: what a client put into a key's name does not get to their terminals. */
const printable = (sentence: string): string =>
  sentence
    .slice(0, 300)
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

/** What joi found, as pointers [RFC 6901] and sentences; values are not repeated. */
export const fieldErrors = (error: Joi.ValidationError, place?: Place): FieldError[] =>
  error.details.slice(0, 50).map(({ path, message }) => ({
    pointer: pointerTo(...path),
    detail: printable(message),
    ...(place && { in: place }),
  }));

/**
 * `value` as `schema` has it. A body is taken as it is; strings of a query or path become numbers.
 * @throws 400 `validation_failed`, with every field that is wrong
 */
export function validate<T>(schema: Joi.AnySchema<T>, value: unknown, place?: Place): T {
  const result = schema.validate(value, { abortEarly: false, convert: place !== undefined });
  if (result.error) throw problem('validation_failed', { errors: fieldErrors(result.error, place) });
  if (place) refuseOddNumbers(value as Record<string, string>, result.value as Record<string, unknown>, place);
  return result.value;
}

/** `1e3`, `007` and `+7` are numbers to joi; a resource has one address. */
function refuseOddNumbers(sent: Record<string, string>, taken: Record<string, unknown>, place: Place): void {
  for (const [name, text] of Object.entries(sent))
    if (typeof taken[name] === 'number' && String(taken[name]) !== text)
      throw problem('validation_failed', {
        errors: [
          { pointer: pointerTo(name), detail: `"${escape(name)}" must be an integer in plain digits`, in: place },
        ],
      });
}
