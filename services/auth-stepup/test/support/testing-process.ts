// auth-stepup as a process for tests: the service with the settings of its environment, and the commands of
// packages/testing/src/auth-stepup-process.ts over IPC. It hashes at `HASH_COST`, bcrypt's lowest by default. If
// CLOCK_FILE is set, its time is what that file says. It ends with the process that started it.
import { runService } from '@comanda/shared/runtime/lifecycle';
import type { AuthStepupCommands, CommandMessage, CommandReply } from '@comanda/testing/auth-stepup-process';
import { readTestClock } from '@comanda/testing/test-clock';
import { untilReady } from '@comanda/testing/until-ready';
import { hashSync } from 'bcryptjs';
import { authStepupSettings, type AuthStepupConfig } from '../../src/config.ts';
import { startAuthStepup } from '../../src/service.ts';
import { storePin, testHashCost } from './pins.ts';
import { createStepUpTokenIssuer } from './step-up-token-issuer.ts';
import { openTestStores } from './test-stores.ts';
import { signingKey } from './test-users.ts';

const { CLOCK_FILE: clockFile, HASH_COST: cost, ...env } = process.env;
const clock = clockFile === undefined ? Date.now : readTestClock(clockFile);
const hashCost = cost === undefined ? testHashCost : Number(cost);

process.on('disconnect', () => process.exit());
await runService({
  name: 'auth-stepup',
  version: '0.0.0-test',
  env,
  settings: authStepupSettings,
  start: async (config, logger) => {
    const service = await startAuthStepup(config, logger, { clock, hashCost });
    let commands: Promise<Commands> | undefined;
    process.on('message', (message: CommandMessage) => {
      commands ??= untilReady(service.url).then(() => createCommands(config));
      void run(commands, message).then((reply) => process.send?.(reply));
    });
    return service;
  },
});

type Commands = { [Name in keyof AuthStepupCommands]: Command<Name> };
type Command<Name extends keyof AuthStepupCommands> = (
  input: AuthStepupCommands[Name]['input'],
) => Promise<AuthStepupCommands[Name]['output']>;

async function createCommands(config: AuthStepupConfig): Promise<Commands> {
  const stores = await openTestStores(config, clock);
  const { users, keys } = stores;
  const stepUpTokens = createStepUpTokenIssuer({ ...stores, clock });
  return {
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
}

async function run(commands: Promise<Commands>, { id, name, input }: CommandMessage): Promise<CommandReply> {
  try {
    return { id, output: await ((await commands)[name] as Command<typeof name>)(input) };
  } catch (error) {
    return { id, error: (error as Error).stack ?? String(error) };
  }
}
