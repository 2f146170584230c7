import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { seedDemo } from '@comanda/local-stack/seed';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { authStepupAt, type AuthStepup, type CommandName, type RunCommand } from './auth-stepup-process.ts';
import { caller } from './call.ts';
import { isolatedServers } from './isolated-servers.ts';
import { newCustomer, startStack, type Stack } from './stack.ts';
import { withoutLimits } from './step-up-calls.ts';

/** Where Jest's workers ask for it. */
const variable = 'COMANDA_SHARED_STACK';

/** A restaurant with the demo's data, which many test files use at once: none stops a service of it. */
export type SharedStack = Pick<Stack, 'gatewayUrl' | 'notifierUrl' | 'call' | 'managerToken' | 'customer'> & {
  services: Record<ServiceName, { url: string }>;
  auth: AuthStepup;
};
/** What the process that has started it tells about it. */
type Description = { urls: Record<ServiceName, string>; managerToken: string };

/**
 * The stack that the test files of a run share, for those that need a restaurant that runs and change nothing in it that
 * others look at: they use users, tables and orders of their own. It starts when the first file asks, and needs no end.
 */
export async function useSharedStack(): Promise<SharedStack> {
  const { urls, managerToken } = (await ask('stack', null)) as Description;
  const run = ((name: CommandName, input: unknown) => ask(name, input)) as RunCommand;
  const services = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url }]));
  const call = caller(urls.gateway);
  return {
    services: services as SharedStack['services'],
    gatewayUrl: urls.gateway,
    notifierUrl: urls.notifier,
    call,
    managerToken,
    customer: (name) => newCustomer(call, name),
    auth: authStepupAt(urls['auth-stepup'], run),
  };
}

async function ask(what: string, input: unknown): Promise<unknown> {
  const answer = await fetch(`${process.env[variable]}/${what}`, { method: 'POST', body: JSON.stringify({ input }) });
  const { output, error } = (await answer.json()) as { output: unknown; error?: string };
  if (error !== undefined) throw new Error(`the shared stack: ${error}`);
  return output;
}

/** Starts the shared stack for whoever asks first. Jest's own process calls this before the workers start. */
export async function serveSharedStack(): Promise<{ close: () => Promise<void> }> {
  const started: Promise<Stack>[] = [];
  const startOnce = (): Promise<Stack> => {
    const [stack = startRestaurant()] = started;
    started[0] = stack;
    return stack;
  };
  const server = createServer((request, response) => {
    void answerTo(request, startOnce)
      .catch((error: unknown) => ({ error: (error as Error).stack ?? String(error) }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  process.env[variable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const stack of await Promise.allSettled(started))
        if (stack.status === 'fulfilled') await stack.value.close();
    },
  };
}

async function startRestaurant(): Promise<Stack> {
  const stack = await startStack(await isolatedServers('shared'), withoutLimits);
  await seedDemo({ gatewayUrl: stack.gatewayUrl, createManager: stack.createManager, log: () => undefined });
  return stack;
}

async function answerTo(request: IncomingMessage, startOnce: () => Promise<Stack>): Promise<{ output: unknown }> {
  const { input } = (await json(request)) as { input: never };
  const { auth, services, managerToken } = await startOnce();
  const what = request.url?.slice(1) ?? '';
  if (what !== 'stack') return { output: await auth.run(what as CommandName, input) };
  const urls = Object.fromEntries(Object.entries(services).map(([name, { url }]) => [name, url]));
  return { output: { urls, managerToken } };
}
