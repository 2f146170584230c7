import type { AuthStepupHarness } from './harness.ts';

/** Makes MongoDB refuse every document that is written to the collection meanwhile. */
export async function whileRefusing<T>(
  { connection }: AuthStepupHarness,
  collection: string,
  run: () => Promise<T>,
): Promise<T> {
  const validate = (validator: object) => connection.db?.command({ collMod: collection, validator });
  await validate({ never: { $exists: true } });
  try {
    return await run();
  } finally {
    await validate({});
  }
}
