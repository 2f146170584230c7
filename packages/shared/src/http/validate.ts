import type Joi from 'joi';
import { problem } from '../contracts/problems.ts';
import type { ProblemMembers } from '../contracts/problems.ts';

type Place = 'query' | 'path' | 'header';
type FieldError = NonNullable<ProblemMembers['errors']>[number];

const escape = (part: string | number): string => String(part).slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1');

/** What joi found, as pointers [RFC 6901] and sentences; values are not repeated. */
export const fieldErrors = (error: Joi.ValidationError, place?: Place): FieldError[] =>
  error.details.slice(0, 50).map(({ path, message }) => ({
    pointer: path.map((part) => `/${escape(part)}`).join(''),
    detail: message.slice(0, 300),
    ...(place && { in: place }),
  }));

/**
 * `value` as `schema` has it. A body is taken as it is; strings of a query or path become numbers.
 * @throws 400 `validation_failed`, with every field that is wrong
 */
export function validate<T>(schema: Joi.AnySchema<T>, value: unknown, place?: Place): T {
  const result = schema.validate(value, { abortEarly: false, convert: place !== undefined });
  if (result.error) throw problem('validation_failed', { errors: fieldErrors(result.error, place) });
  return result.value;
}
