import Joi from 'joi';
import { documented } from './schema.ts';

/** Matches times as in RFC 3339, 5.6: with any offset, any number of fraction digits, and `t` and `z` in upper or lower case. */
const form = /^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:z|([+-])(\d{2}):(\d{2}))$/i;
const format =
  '{{#label}} must be an RFC 3339 time with seconds and an offset, such as "2026-11-20T21:00:00Z" or "2026-11-20T18:00:00-03:00" (in a query, + is written %2B)';
const calendar =
  '{{#label}} must be a time that exists: a date of the calendar from year 0000 to 9999, from 00:00:00 to 23:59:59';

const minuteMs = 60_000;

/**
 * Returns the time in milliseconds since the epoch, without smaller fractions; NaN if the time does not exist. Leap seconds
 * (`:60`) are rejected, because servers' clocks do not count them.
 */
function momentOf([, ...parts]: RegExpExecArray): number {
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(0, 6).map(Number);
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts.slice(6);
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // Rejects days that don't exist: `setUTCFullYear` turns 30 February into 1 or 2 March.
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return Number.NaN;
  if (hours > 23 || minutes > 59 || seconds > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59)
    return Number.NaN;
  local.setUTCHours(hours, minutes, seconds, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * minuteMs;
  return local.getTime() - (sign === '-' ? -offsetMs : offsetMs);
}

/**
 * Creates a schema for a time in requests [RFC 3339]. Validation converts the time to UTC with milliseconds, such as
 * `2026-11-20T21:00:00.000Z`, which is the same form as `time()` in responses.
 */
export const instant = (): Joi.StringSchema =>
  documented(
    Joi.string()
      .custom((value: string, rule) => {
        const parts = form.exec(value);
        if (!parts) return rule.message({ custom: format });
        const moment = new Date(momentOf(parts));
        const year = moment.getUTCFullYear();
        return year >= 0 && year <= 9999 ? moment.toISOString() : rule.message({ custom: calendar });
      })
      .example('2026-11-20T21:00:00.000Z'),
    { schema: { format: 'date-time' } },
  );
