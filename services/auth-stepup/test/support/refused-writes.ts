import type { AuthStepupHarness } from './harness.ts';

/** Makes MongoDB reject every write to the collection while `work` runs. */
export async function whileRefusing<T>(
  { connection }: AuthStepupHarness,
  collection: string,
  run: () => Promise<T>,
): Promise<T> {
  const setRules = (rules: object) => connection.db?.command({ collMod: collection, ...rules });
  const [stored] = (await connection.db?.listCollections({ name: collection }, { nameOnly: false }).toArray()) ?? [];
  await setRules({ validator: { never: { $exists: true } }, validationLevel: 'strict' });
  try {
    return await run();
  } finally {
    await setRules({
      validator: stored?.options?.['validator'],
      validationLevel: stored?.options?.['validationLevel'],
    });
  }
}
