import { builtApps } from './built-apps.ts';
import { isolatedServers } from './isolated-servers.ts';
import { reuseDatabases } from './reused-databases.ts';
import { seedStack } from './seed-stack.ts';
import { startStack, type Stack } from './stack.ts';
import { withoutLimits } from './step-up-calls.ts';

/**
 * Starts a complete restaurant: a stack with the demo's data and the apps, without rate limits. `settings`: those of a bank, for
 * example.
 */
export async function startRestaurant(name: string, settings: Record<string, string> = {}): Promise<Stack> {
  const { servers, giveBack } = await reuseDatabases(await isolatedServers(name), 'stack');
  const stack = await startStack(servers, { ...withoutLimits, ...(await builtApps()), ...settings });
  try {
    await seedStack(stack);
    return {
      ...stack,
      close: async () => {
        await stack.close();
        giveBack();
      },
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}
