import { randomBytes } from 'node:crypto';
import { demoMenu } from './demo-menu.ts';
import { refusal } from './servers/refusal.ts';

export type SeedOptions = {
  gatewayUrl: string;
  /** Runs `services/<service>/<script>` with that service's own settings. */
  runServiceCommand: (
    service: string,
    script: string,
    options: { args: readonly string[]; env: Record<string, string> },
  ) => Promise<string>;
  log: (line: string) => void;
};

const demoPassword = 'comanda-demo';
const tables = Array.from({ length: 12 }, (_, index) => String(index + 1));

/** The people, tables and menu of the demonstration, made through the API as anybody would make them; safe to repeat. */
export async function seedDemoHouse({ gatewayUrl, runServiceCommand, log }: SeedOptions): Promise<void> {
  log('people');
  const call = caller(gatewayUrl);
  if (!(await isDemoUser(call, 'manager@comanda.test')))
    await runServiceCommand('auth-stepup', 'src/create-manager.ts', {
      args: ['--email', 'manager@comanda.test', '--name', 'Marta'],
      env: { MANAGER_PASSWORD: demoPassword },
    });
  const manager = caller(gatewayUrl, await signIn(call, 'manager@comanda.test', demoPassword));
  for (const [name, email] of [
    ['Ana', 'customer@comanda.test'],
    ['Bruno', 'second@comanda.test'],
  ])
    await call('POST', '/auth/register', { body: { name, email, password: demoPassword }, unless: 'email_taken' });
  await addWaiter(call, manager);
  log(`${tables.length} tables`);
  for (const table of tables) await manager('PUT', `/tables/${table}`);
  log(`${demoMenu.length} dishes`);
  for (const dish of demoMenu) await manager('POST', '/menu', { body: dish, unless: 'menu_item_exists' });
}

/** A waiter starts with a password that must be changed, and changes it. */
async function addWaiter(call: Call, manager: Call): Promise<void> {
  const email = 'waiter@comanda.test';
  if (await isDemoUser(call, email)) return;
  const password = randomBytes(18).toString('base64url');
  const added = await manager('POST', '/users', {
    body: { name: 'Wagner', email, password, role: 'waiter' },
    unless: 'email_taken',
  });
  if (!('id' in added))
    throw refusal('the demonstration is half set up. Forget it and start anew:   npm start -- --reset');
  const waiter = caller(call.baseUrl, await signIn(call, email, password));
  await waiter('PUT', '/auth/password', { body: { current: password, password: demoPassword } });
}

type Answer = Record<string, unknown>;
type Call = {
  (method: string, path: string, options?: { body?: unknown; unless?: string }): Promise<Answer>;
  baseUrl: string;
};

/** Whether an earlier attempt got as far as this user. */
async function isDemoUser(call: Call, email: string): Promise<boolean> {
  const body = { email, password: demoPassword };
  return 'access_token' in (await call('POST', '/auth/login', { body, unless: 'invalid_credentials' }));
}

async function signIn(call: Call, email: string, password: string): Promise<string> {
  const { access_token: token } = await call('POST', '/auth/login', { body: { email, password } });
  return String(token);
}

/** Calls the API; a problem with the code `unless` is taken as done before, any other is thrown. */
function caller(baseUrl: string, token?: string): Call {
  const call = async (
    method: string,
    path: string,
    { body, unless }: { body?: unknown; unless?: string } = {},
  ): Promise<Answer> => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const value = text === '' ? {} : (JSON.parse(text) as Answer);
    if (!answer.ok && value['code'] !== unless)
      throw new Error(`the demonstration could not be set up: ${method} ${path} answered ${answer.status} ${text}`);
    return value;
  };
  return Object.assign(call, { baseUrl });
}
