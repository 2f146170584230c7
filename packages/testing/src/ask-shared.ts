/** Where Jest's workers ask for what the test files of a run share. */
export const sharedVariable = 'COMANDA_SHARED';

/** Asks Jest's own process, which keeps what the test files of a run share. See serve-shared.ts. */
export async function askShared(what: string, input: unknown = null): Promise<unknown> {
  const url = process.env[sharedVariable];
  if (url === undefined) throw new Error('Nothing is shared: run this file with npm test.');
  const answer = await fetch(`${url}/${what}`, { method: 'POST', body: JSON.stringify({ input }) });
  const { output, error } = (await answer.json()) as { output: unknown; error?: string };
  if (error !== undefined) throw new Error(`${what} that test files share: ${error}`);
  return output;
}
