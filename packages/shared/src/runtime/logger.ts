import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** The names of fields whose values are never logged, down to three levels in a log entry. */
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

type LoggedError = { type: string; message: string; code?: unknown; stack?: string; cause?: LoggedError };
const maxCauses = 3;
/** Removes the arguments that Redis repeats in its error for an unknown command. They may contain, for example, a password. */
const withoutArguments = (text: string): string => text.replaceAll(/, with args beginning with: .*/g, '');

/**
 * Returns the type, message, code and stack of an error and of its causes. Other fields are left out, because libraries attach
 * their input: ioredis attaches a command's arguments, including the password for AUTH; MongoDB attaches documents; and `new URL`
 * attaches the whole text.
 */
function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'what was thrown is not an Error' };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: withoutArguments(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(stack !== undefined && { stack: withoutArguments(stack) }),
    ...(cause instanceof Error && depth < maxCauses && { cause: toLoggedError(cause, depth + 1) }),
  };
}

/**
 * Creates a logger that writes each entry to standard output as one line of JSON. `time` is in the RFC 3339 format, and `level`
 * is a word such as `info`.
 */
export const createLogger = (
  options: { service: string; version?: string; instance?: string; level: string },
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level: options.level,
      base: {
        service: options.service,
        ...(options.version !== undefined && { service_version: options.version }),
        ...(options.instance !== undefined && { service_instance: options.instance }),
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
      serializers: { err: (error: unknown) => toLoggedError(error) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
