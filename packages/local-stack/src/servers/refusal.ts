/**
 * Creates an error that explains to the person at the terminal what is wrong and what to do. It is printed without a stack trace.
 * All other errors are defects, and are printed with their stack traces.
 */
export const refusal = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name: 'Refusal' });

export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'Refusal';
