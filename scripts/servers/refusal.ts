/**
 * An error for the person at the terminal: what is wrong and what to do. It is printed without a stack trace. Any other
 * error is a defect of the program and is printed with its stack trace.
 */
export const refusal = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name: 'Refusal' });

export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'Refusal';

/** The refusal for a server that is not configured, not on the PATH and can't be downloaded: names every way to provide it. */
export function serverNotAvailable(options: {
  server: string;
  variable: string;
  example: string;
  program: string;
  toDownload: string;
  error: unknown;
}): Error {
  const { server, variable, example, program, toDownload, error } = options;
  if (!isRefusal(error)) throw error;
  return refusal(
    `${server} is not on this machine, and the download failed: ${error.message}
Choose one of these ways to provide it:
  - set the URL of a running server:   ${variable}=${example}
  - install it, so that ${program} is on the PATH
  - ${toDownload}, and try again
  - run everything in containers:   docker compose up --build`,
    error,
  );
}
