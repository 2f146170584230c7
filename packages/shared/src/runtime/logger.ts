import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger } from 'pino';

/** Keys whose values are never logged, at up to three levels of an entry. */
const secretKeys = [
  'password',
  'current',
  'transaction_password',
  'confirmation',
  'access_token',
  'refresh_token',
  'step_up_token',
  'table_token',
  'token',
  'authorization',
  'pin',
  'secret',
];
const paths = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

/** Logs one JSON line for each entry to standard output: `time` is RFC 3339, `level` a word. */
export const createLogger = (options: { service: string; level: string }, destination?: DestinationStream): Logger =>
  pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
