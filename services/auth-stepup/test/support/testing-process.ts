// auth-stepup as a process for tests: the service with the settings of its environment, and the commands of
// packages/testing/src/auth-stepup-process.ts over IPC. If CLOCK_FILE is set, its time is what that file says. It ends
// with the process that started it.
import { startAuthStepupHarness } from './harness.ts';
import { readTestClock } from '@comanda/testing/test-clock';
import type { AuthStepupCommands, CommandMessage, CommandReply } from '@comanda/testing/auth-stepup-process';
import { storePin } from './pins.ts';
import { createStepUpTokenIssuer } from './step-up-token-issuer.ts';
import { signingKey } from './test-users.ts';

const { CLOCK_FILE: clockFile, ...env } = process.env;
const clock = clockFile === undefined ? Date.now : readTestClock(clockFile);
const servers = {
  mongodbUri: env['MONGODB_URI'] ?? '',
  database: env['MONGODB_DATABASE'] ?? '',
  redisUrl: env['REDIS_URL'] ?? '',
  redisPrefix: env['REDIS_PREFIX'] ?? '',
  rabbitmqUrl: env['RABBITMQ_URL'] ?? '',
};
const harness = await startAuthStepupHarness({ servers, settings: env as Record<string, string>, clock });
const stepUpTokens = createStepUpTokenIssuer({ ...harness, clock });

const commands: { [Name in keyof AuthStepupCommands]: Command<Name> } = {
  createUser: ({ name, role }) => harness.users.create(name, role),
  startSession: harness.newSession,
  issueStepUpToken: stepUpTokens.issue,
  storePin: async ({ userId, pin }) => {
    await storePin(harness, { id: userId }, pin);
    return null;
  },
  unspendStepUpToken: async (token) => {
    await stepUpTokens.unspend(token);
    return null;
  },
  getSigningKey: async () => {
    const { kid, privateKey } = (await signingKey(harness.keys, clock())).signer();
    return { kid, privateJwk: privateKey.export({ format: 'jwk' }) };
  },
};
type Command<Name extends keyof AuthStepupCommands> = (
  input: AuthStepupCommands[Name]['input'],
) => Promise<AuthStepupCommands[Name]['output']>;

async function run({ id, name, input }: CommandMessage): Promise<CommandReply> {
  try {
    return { id, output: await (commands[name] as Command<typeof name>)(input) };
  } catch (error) {
    return { id, error: (error as Error).stack ?? String(error) };
  }
}
process.on('message', (message: CommandMessage) => void run(message).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void harness.close().then(() => process.exit(0)));
