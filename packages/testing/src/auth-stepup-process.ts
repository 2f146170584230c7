import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
import type { Role } from '@comanda/contracts/endpoint';
import type { AuthorizationDetails } from '@comanda/contracts/step-up';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { caller, type Call } from './call.ts';
import { importOf, startServiceHere } from './service-here.ts';
import { startServiceProcess, type RunningService, type ServiceProcess, type Started } from './service-process.ts';

/** A user with the test password, and one of their sessions. */
export type TestUser = { id: number; email: string; token: string; refreshToken: string };

export type NewManager = { name: string; email: string; password: string };
export type NewUser = NewManager & { role: Role };

export type StepUpTokenRequest = {
  userId: number;
  endpointKey: string;
  details?: AuthorizationDetails;
  /** When the token is issued, in milliseconds since the epoch. The default is now. */
  issuedAt?: number;
};

/** The commands that auth-stepup's testing process accepts from tests. Each has an input and an output. */
export type AuthStepupCommands = {
  createUser: { input: { name: string; role: Role }; output: TestUser };
  /** Adds a user without a session. The password is hashed at bcrypt's lowest cost. */
  addUser: { input: NewUser; output: null };
  startSession: { input: { id: number }; output: TestUser };
  issueStepUpToken: { input: StepUpTokenRequest; output: string };
  /** Stores a user's transactional PIN, hashed at bcrypt's lowest cost. */
  storePin: { input: { userId: number; pin: string }; output: null };
  /** Makes a spent step-up token unspent, as if Redis had lost its last writes. */
  unspendStepUpToken: { input: { userId: number; jti: string }; output: null };
  getSigningKey: { input: null; output: { kid: string; privateJwk: webcrypto.JsonWebKey } };
};
export type CommandName = keyof AuthStepupCommands;
export type CommandMessage = {
  [Name in CommandName]: { id: number; name: Name; input: AuthStepupCommands[Name]['input'] };
}[CommandName];
export type CommandReply = { id: number; output: unknown } | { id: number; error: string };

/** The functions with which tests use auth-stepup. Their names are the same as in auth-stepup's own test harness. */
export type AuthStepup = {
  url: string;
  jwksUrl: string;
  /** Calls auth-stepup without a token. */
  call: Call;
  /** Returns a function that calls auth-stepup with this user's access token. */
  as: (user: { token: string }) => Call;
  customer: (name?: string) => Promise<TestUser>;
  waiter: (name?: string) => Promise<TestUser>;
  manager: (name?: string) => Promise<TestUser>;
  /** Creates a manager with the given password, as the command create-manager does. */
  createManager: (manager: NewManager) => Promise<void>;
  /** Adds a user with the given password, without a session. */
  addUser: (user: NewUser) => Promise<void>;
  /** Starts another session for the same user, and returns the user with the new session's tokens. */
  newSession: (user: { id: number }) => Promise<TestUser>;
  /** Issues the step-up token that the user would get for a correct PIN, but without the slow PIN check. */
  issueStepUpToken: (request: StepUpTokenRequest) => Promise<string>;
  storePin: (user: { id: number }, pin: string) => Promise<void>;
  unspendStepUpToken: (token: { userId: number; jti: string }) => Promise<void>;
  /** Returns the key that currently signs access tokens. */
  signingKey: () => Promise<{ kid: string; privateKey: KeyObject }>;
};
/** An auth-stepup service that also accepts the test commands. */
export type TestingAuthStepup = RunningService & AuthStepup & { run: RunCommand };
export type AuthStepupProcess = ServiceProcess & TestingAuthStepup;

/**
 * Starts auth-stepup's testing process: the service, and the commands that other services' tests need. Passwords and PINs are
 * hashed at bcrypt's lowest cost. If CLOCK_FILE is set, the process reads the time from that file (see `createSharedTestClock`).
 */
export async function startAuthStepupProcess(
  env: Record<string, string>,
  of: Pick<Started, 'root'> = {},
): Promise<AuthStepupProcess> {
  const service = await startServiceProcess('auth-stepup', env, { ...of, file: 'test/support/testing-process.ts' });
  const run = createCommandClient(service);
  return { ...service, ...authStepupAt(service.url, run), run };
}

/** Like `startAuthStepupProcess`, but runs the service in this process (see `startServiceHere`). */
export async function startAuthStepupHere(env: Record<string, string>): Promise<TestingAuthStepup> {
  const { startTestingService } = await importOf('auth-stepup', 'test/support/testing-service.ts');
  const startIt = startTestingService as (
    config: object,
    logger: Logger,
    environment: typeof env,
  ) => Promise<Running & { run: RunCommand }>;
  let run: RunCommand | undefined;
  const service = await startServiceHere('auth-stepup', {
    env,
    start: async (config, logger) => {
      const running = await startIt(config, logger, env);
      run = running.run;
      return running;
    },
  });
  return { ...service, ...authStepupAt(service.url, run as RunCommand), run: run as RunCommand };
}

/** Returns auth-stepup's test functions for the instance at `url`. `run` sends the test commands. */
export function authStepupAt(url: string, run: RunCommand): AuthStepup {
  const createUser = (name: string, role: Role): Promise<TestUser> => run('createUser', { name, role });
  return {
    url,
    jwksUrl: `${url}/.well-known/jwks.json`,
    call: caller(url),
    as: ({ token }) => caller(url, { token }),
    customer: (name = 'Ana') => createUser(name, 'customer'),
    waiter: (name = 'Walter') => createUser(name, 'waiter'),
    manager: (name = 'Marta') => createUser(name, 'manager'),
    createManager: async (manager) => void (await run('addUser', { ...manager, role: 'manager' })),
    addUser: async (user) => void (await run('addUser', user)),
    newSession: ({ id }) => run('startSession', { id }),
    issueStepUpToken: (request) => run('issueStepUpToken', request),
    storePin: async ({ id }, pin) => void (await run('storePin', { userId: id, pin })),
    unspendStepUpToken: async (token) => void (await run('unspendStepUpToken', token)),
    signingKey: async () => {
      const { kid, privateJwk } = await run('getSigningKey', null);
      return { kid, privateKey: createPrivateKey({ key: privateJwk, format: 'jwk' }) };
    },
  };
}

export type RunCommand = <Name extends CommandName>(
  name: Name,
  input: AuthStepupCommands[Name]['input'],
) => Promise<AuthStepupCommands[Name]['output']>;

/**
 * Returns a function that sends a command to the service's process and returns the process's reply. It fails if the process exits
 * before replying.
 */
export function createCommandClient(service: ServiceProcess): RunCommand {
  let lastId = 0;
  return (name, input) => {
    const id = ++lastId;
    const child = service.child();
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const onMessage = (reply: CommandReply): void => {
      if (reply.id !== id) return;
      if ('error' in reply) reject(new Error(`${name} failed in auth-stepup: ${reply.error}`));
      else resolve(reply.output as never);
    };
    const onExit = (): void => reject(new Error(`auth-stepup ended before it replied to ${name}`));
    child.on('message', onMessage).once('exit', onExit);
    child.send({ id, name, input }, (error) => {
      if (error) reject(error);
    });
    return promise.finally(() => child.off('message', onMessage).off('exit', onExit));
  };
}
