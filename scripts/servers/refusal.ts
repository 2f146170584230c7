/**
 * An error that is a message to the person at the terminal: it says what is wrong and what to do about it, and is shown
 * without a stack. Everything else that is thrown is a defect of ours and is shown with one.
 */
export const refusal = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name: 'Refusal' });

export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'Refusal';

/** The refusal for a server that is neither given, nor on the PATH, nor could be fetched: names every way to provide it. */
export function cannotBeHad(options: {
  server: string;
  variable: string;
  example: string;
  program: string;
  fetchedWith: string;
  error: unknown;
}): Error {
  const { server, variable, example, program, fetchedWith, error } = options;
  if (!isRefusal(error)) throw error;
  return refusal(
    `${server} is not on this machine, and fetching it failed: ${error.message}
Provide it in any one of these ways:
  - give the URL of one that runs:   ${variable}=${example}
  - install it, so that ${program} is on the PATH
  - ${fetchedWith}, and run this again
  - run everything in containers:   docker compose up --build`,
    error,
  );
}
