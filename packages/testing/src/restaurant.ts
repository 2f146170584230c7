import { builtApps } from './built-apps.ts';
import { isolatedServers } from './isolated-servers.ts';
import { seedStack } from './seed-stack.ts';
import { startStack, type Stack } from './stack.ts';
import { withoutLimits } from './step-up-calls.ts';

/** A stack with the demo's data, which serves the apps and has no limits of calls: a restaurant that runs. */
export async function startRestaurant(name: string): Promise<Stack> {
  const stack = await startStack(await isolatedServers(name), { ...withoutLimits, ...(await builtApps()) });
  try {
    await seedStack(stack);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}
