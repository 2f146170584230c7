import type { Logger } from '@comanda/shared/runtime/logger';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { AuthStepupCommands, RunCommand } from '@comanda/testing/auth-stepup-process';
import { readTestClock } from '@comanda/testing/test-clock';
import { untilReady } from '@comanda/testing/until-ready';
import { hashSync } from 'bcryptjs';
import type { AuthStepupConfig } from '../../src/config.ts';
import { startAuthStepup } from '../../src/service.ts';
import { storePin, testHashCost } from './pins.ts';
import { createStepUpTokenIssuer } from './step-up-token-issuer.ts';
import { openTestStores } from './test-stores.ts';
import { signingKey } from './test-users.ts';

/** The service's environment, with additional settings for tests. */
type TestEnvironment = NodeJS.ProcessEnv & {
  /** A file that contains the current time. Without it, the service uses the real time. */
  CLOCK_FILE?: string;
  /** The bcrypt cost; the lowest by default. */
  HASH_COST?: string;
};

/** Starts the service for tests of other services. It executes the commands in packages/testing/src/auth-stepup-process.ts. */
export async function startTestingService(
  config: AuthStepupConfig,
  logger: Logger,
  env: TestEnvironment,
): Promise<Running & { run: RunCommand }> {
  const { CLOCK_FILE: clockFile, HASH_COST: cost } = env;
  const clock = clockFile === undefined ? Date.now : readTestClock(clockFile);
  const hashCost = cost === undefined ? testHashCost : Number(cost);
  const service = await startAuthStepup(config, logger, { clock, hashCost });
  let opened: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    await untilReady(service.url);
    return openCommands({ config, clock, hashCost, env });
  };
  return {
    ...service,
    run: async (name, input) => {
      const { commands } = await (opened ??= open());
      return commands[name](input);
    },
    close: async () => {
      await service.close();
      await (await opened?.catch(() => null))?.close();
    },
  };
}

type Commands = {
  [Name in keyof AuthStepupCommands]: (
    input: AuthStepupCommands[Name]['input'],
  ) => Promise<AuthStepupCommands[Name]['output']>;
};
type Opened = { commands: Commands; close: () => Promise<void> };
type Deps = { config: AuthStepupConfig; clock: () => number; hashCost: number; env: NodeJS.ProcessEnv };

async function openCommands({ config, clock, hashCost, env }: Deps): Promise<Opened> {
  const stores = await openTestStores(config, clock);
  const { users, keys } = stores;
  const stepUpTokens = createStepUpTokenIssuer({ ...stores, clock });
  const commands: Commands = {
    createUser: ({ name, role }) => users.create(name, role),
    addUser: async ({ password, ...user }) => {
      await users.insert({ ...user, passwordHash: hashSync(password, hashCost) });
      return null;
    },
    startSession: users.newSession,
    issueStepUpToken: stepUpTokens.issue,
    storePin: async ({ userId, pin }) => {
      await storePin({ ...stores, env, clock }, { id: userId }, pin);
      return null;
    },
    unspendStepUpToken: async (token) => {
      await stepUpTokens.unspend(token);
      return null;
    },
    getSigningKey: async () => {
      const { kid, privateKey } = (await signingKey(keys, clock())).signer();
      return { kid, privateJwk: privateKey.export({ format: 'jwk' }) };
    },
  };
  return { commands, close: stores.close };
}
