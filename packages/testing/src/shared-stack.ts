import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { authStepupAt, type AuthStepup, type CommandName, type RunCommand } from './auth-stepup-process.ts';
import { askShared } from './ask-shared.ts';
import { caller } from './call.ts';
import { managerCredentials } from './credentials.ts';
import type { ServiceProcess } from './service-process.ts';
import { newCustomer, signIn, type Stack } from './stack.ts';

/** A restaurant with the demo's data, which many test files use at once: none stops a service of it. */
export type SharedStack = Pick<Stack, 'gatewayUrl' | 'notifierUrl' | 'call' | 'managerToken' | 'customer'> & {
  services: Record<ServiceName, Pick<ServiceProcess, 'url' | 'metricsUrl'>>;
  auth: AuthStepup;
};
/** What the process that has started it tells about it. */
export type StackDescription = Pick<SharedStack, 'services'>;

/**
 * The stack that the test files of a run share, for those that need a restaurant that runs and change nothing in it that
 * others look at: they use users, tables and orders of their own. It starts when the first file asks, and needs no end.
 */
export async function useSharedStack(): Promise<SharedStack> {
  const { services } = (await askShared('stack')) as StackDescription;
  const run = ((name: CommandName, input: unknown) => askShared(name, input)) as RunCommand;
  const auth = authStepupAt(services['auth-stepup'].url, run);
  const call = caller(services.gateway.url);
  return {
    services,
    gatewayUrl: services.gateway.url,
    notifierUrl: services.notifier.url,
    call,
    managerToken: await signIn(call, managerCredentials.email), // one of the start may have expired in a long run
    customer: (name) => newCustomer(auth, name),
    auth,
  };
}
