import { builtApps } from './built-apps.ts';
import { seedStack } from './seed-stack.ts';
import { startStackHere, type Stack } from './stack.ts';
import { withoutLimits } from './step-up-calls.ts';

/**
 * Starts a complete restaurant: a stack with the demo's data and the apps, without rate limits. `settings`: those of a bank, for
 * example.
 */
export async function startRestaurant(name: string, settings: Record<string, string> = {}): Promise<Stack> {
  const stack = await startStackHere(name, { ...withoutLimits, ...(await builtApps()), ...settings });
  try {
    await seedStack(stack);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}
