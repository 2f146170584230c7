type Entry = Record<string, unknown> & { time?: string; level?: string; service?: string; msg?: string };
type LoggedError = { type?: string; message?: string; code?: unknown; stack?: string; cause?: LoggedError };

/** Formats a JSON line from a service's log for people. Returns other lines unchanged. */
export function formatLogLine(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { time = '', level = '', service = '', msg = '', err, request_id, trace_id, ...rest } = entry;
  delete rest['service_version'];
  delete rest['service_instance'];
  const members = {
    ...rest,
    ...(request_id !== undefined && { request_id }),
    ...(trace_id !== undefined && { trace_id }),
  };
  const fields = Object.entries(members).map(([name, value]) => `${name}=${textOf(value)}`);
  const clock = time.slice('2026-01-31T'.length, -1); // The time is in UTC.
  const start = [clock, level.toUpperCase().padEnd(5), service.padEnd('auth-stepup'.length), msg];
  return [[...start, ...fields].join(' ').trimEnd(), ...errorLines(err as LoggedError | undefined)].join('\n');
}

/** Returns a line's time in a sortable form. Empty for a line without a time. */
export const timeOfLine = (line: string): string => parse(line)?.time ?? '';

function parse(line: string): Entry | null {
  try {
    const entry = JSON.parse(line) as Entry | null;
    return typeof entry?.time === 'string' ? entry : null;
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function errorLines(error: LoggedError | undefined): string[] {
  if (!error) return [];
  const { stack = `${error.type}: ${error.message}`, cause } = error;
  const lines = stack.split('\n').map((line) => `    ${line}`);
  return cause ? [...lines, '    because of', ...errorLines(cause)] : lines;
}
