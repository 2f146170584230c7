import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { detailsOf, type AnyDetails } from '@comanda/contracts/agreed-details';
import { importMenu } from '@comanda/contracts/menu';
import { createOptionGroup } from '@comanda/contracts/option-groups';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import { demoLimits, demoMenu } from './demo-menu.ts';
import { demoOptionGroups } from './demo-option-groups.ts';
import { publicSignIns, type DemoSignIn, type DemoSignIns } from './demo-sign-ins.ts';
import { refusal } from './servers/refusal.ts';

export type SeedOptions = {
  gatewayUrl: string;
  /** Creates a manager, like auth-stepup's create-manager command does. */
  createManager: (manager: { name: string; email: string; password: string }) => Promise<void>;
  log: (line: string) => void;
  signIns?: DemoSignIns;
};

const limitPauseMs = 5000;
/**
 * How many times to retry a call if a slow machine returns 503 or 504. All these calls are safe to retry after the time in the
 * response's `Retry-After`.
 */
const busyTries = 30;
const busyPauseS = 1;
const tables = Array.from({ length: 12 }, (_, index) => String(index + 1));

/** Creates the demo's users, tables, menu and accounts through the API. This is safe to repeat. */
export async function seedDemo({ gatewayUrl, createManager, log, ...options }: SeedOptions): Promise<void> {
  const { signIns = publicSignIns } = options;
  log('a manager');
  const call = caller(gatewayUrl);
  if (!(await isDemoUser(call, signIns.manager))) await createManager({ name: 'Marta', ...signIns.manager });
  const manager = caller(gatewayUrl, await signIn(call, signIns.manager));
  log(`two customers with accounts, a waiter, ${tables.length} tables, ${demoMenu.length} dishes`);
  const pin = signIns.managerPin;
  await Promise.all([
    addTables(manager),
    addCustomers(call, signIns).then(() => addAccounts({ call, createManager, signIns })),
    setPin(manager, pin).then(() =>
      Promise.all([addMenu({ manager, pin, log }), addWaiter({ call, manager, signIns })]),
    ),
  ]);
}

async function addCustomers(call: Call, { customer, second }: DemoSignIns): Promise<void> {
  const register = (name: string, user: DemoSignIn): Promise<HttpResponse> =>
    call('POST', '/auth/register', { body: { name, ...user }, unless: 'email_taken' });
  await Promise.all([register('Ana', customer), register('Bruno', second)]);
}

/**
 * Sets when the dishes of a category are late, unless somebody has set limits already. An earlier release of orders has no such
 * limits and returns none.
 */
async function setCategoryLimits(manager: Call): Promise<void> {
  const { category_limits: limits } = await manager('GET', '/restaurant');
  if (Array.isArray(limits) && limits.length === 0)
    await manager('PUT', '/restaurant', { body: { category_limits: demoLimits } });
}

async function addTables(manager: Call): Promise<void> {
  for (const table of tables) await manager('PUT', `/tables/${table}`);
  await setCategoryLimits(manager);
}

/**
 * Adds the dishes that are missing, and the option groups that these dishes need. The dishes of combos come first, because groups
 * name them. Dishes are imported, so that with MENU_STEP_UP all of them need one PIN: the gateway allows few a minute.
 */
async function addMenu({ manager, pin, log }: Pick<MenuChange, 'pin' | 'log'> & { manager: Call }): Promise<void> {
  const groups = await idsIn(manager, '/option-groups');
  let dishes = await idsIn(manager, '/menu');
  const missing = demoMenu.filter(({ name }) => !dishes.has(name));
  const idOf = (ids: ReadonlyMap<string, number>, name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the demo's menu has no ${name} yet`);
    return id;
  };
  async function addDishes(added: typeof missing): Promise<void> {
    if (added.length === 0) return;
    const rows = added.map(({ groups: names, ...dish }) => ({
      ...dish,
      ...(names && { option_group_ids: names.map((name) => idOf(groups, name)) }),
    }));
    const body = { dishes: rows, sha256: canonicalDigest(rows) };
    await changeMenu(manager, { endpoint: importMenu, body, pin, log });
    dishes = await idsIn(manager, '/menu');
  }
  async function addGroup(name: string): Promise<void> {
    if (groups.has(name)) return;
    const group = demoOptionGroups.find((each) => each.name === name);
    if (!group) throw new Error(`the demo has no option group ${name}`);
    for (const opened of group.options.flatMap(({ opens = [] }) => opens)) await addGroup(opened);
    const options = group.options.map(({ opens, dish, ...option }) => ({
      ...option,
      ...(opens && { option_group_ids: opens.map((each) => idOf(groups, each)) }),
      ...(dish !== undefined && { item_id: idOf(dishes, dish) }),
    }));
    const findEarlier = async (): Promise<HttpResponse | null> => {
      const id = (await idsIn(manager, '/option-groups')).get(name);
      return id === undefined ? null : { id };
    };
    const body = { ...group, options };
    const { id } = await changeMenu(manager, { endpoint: createOptionGroup, body, pin, log, findEarlier });
    groups.set(name, id as number);
  }
  await addDishes(missing.filter(({ groups: names }) => !names));
  for (const { groups: names = [] } of missing) for (const name of names) await addGroup(name);
  await addDishes(missing.filter(({ groups: names }) => names));
}

async function idsIn(call: Call, path: string): Promise<Map<string, number>> {
  const rows = (await call('GET', path)) as unknown as { id: number; name: string }[];
  return new Map(rows.map(({ id, name }) => [name, id]));
}

type MenuChange = Pick<CallOptions, 'findEarlier'> & {
  endpoint: typeof importMenu | typeof createOptionGroup;
  body: Record<string, unknown>;
  pin: string;
  log: SeedOptions['log'];
};
/** Makes a call that changes the menu, with the PIN if MENU_STEP_UP is set. */
async function changeMenu(
  manager: Call,
  { endpoint: { method, path, stepUp: needed }, body, pin, log, ...options }: MenuChange,
): Promise<HttpResponse> {
  const details = needed && detailsOf(needed.details, body);
  if (!details) throw new Error(`${method} ${path} lacks what a manager authorizes`);
  const consent = () => stepUp(manager, { pin, endpointKey: needed.key, details, log });
  const response = await manager(method, path, { body, ...options, unless: 'step_up_required' });
  return response['code'] === 'step_up_required' ? manager(method, path, { body, ...options, consent }) : response;
}

/** Returns the URL in table 12's QR code, or null if the demo's waiter can't sign in or the table no longer exists. */
export async function findTableAddress(gatewayUrl: string, { waiter }: DemoSignIns): Promise<string | null> {
  const call = caller(gatewayUrl);
  const { access_token: token } = await call('POST', '/auth/login', { body: waiter, unless: 'invalid_credentials' });
  if (typeof token !== 'string') return null;
  const found = (await caller(gatewayUrl, token)('GET', '/tables')) as unknown as HttpResponse[];
  return (found.find(({ table }) => table === '12')?.['url'] as string | undefined) ?? null;
}

/**
 * Opens an account for Ana with 1000.00, and an empty account for Bruno. Like every deposit, the deposit for Ana uses a step-up
 * token.
 */
async function addAccounts(options: {
  call: Call;
  createManager: SeedOptions['createManager'];
  signIns: DemoSignIns;
}): Promise<void> {
  const { call, createManager, signIns } = options;
  const { id, balance } = await accountOf(call, signIns.customer);
  await accountOf(call, signIns.second);
  if (balance !== '0.00') return;
  // Every attempt creates a new manager with a random password, which is then forgotten, so that no person can sign in as this
  // manager.
  const email = `manager-${randomBytes(6).toString('hex')}@comanda.test`;
  const password = randomBytes(18).toString('base64url');
  await createManager({ name: 'Casa', email, password });
  const depositor = caller(call.baseUrl, await signIn(call, { email, password }));
  const pin = await choosePin(depositor);
  await depositor('POST', `/accounts/${String(id)}/deposits`, {
    body: { amount: '1000.00' },
    consent: () => stepUp(depositor, { pin, endpointKey: 'account_deposit.create' }),
  });
}

async function accountOf(call: Call, user: DemoSignIn): Promise<HttpResponse> {
  const owner = caller(call.baseUrl, await signIn(call, user));
  const accounts = (await owner('GET', '/accounts')) as unknown as HttpResponse[];
  return accounts[0] ?? owner('POST', '/accounts', { body: { name: 'Conta' } });
}

/** Sets a random PIN for a new user. Tries another PIN if the service considers it too easy to guess. */
async function choosePin(user: Call): Promise<string> {
  // An earlier call may have set a PIN even though the service returned 503.
  const unless = ['transaction_password_weak', 'transaction_password_exists'];
  for (;;) {
    const pin = String(randomInt(1_000_000)).padStart(6, '0');
    const body = { transaction_password: pin, confirmation: pin };
    const { code } = await user('POST', '/security/transaction-password', { body, unless });
    if (code !== 'transaction_password_weak') return pin;
  }
}

/** Sets the PIN of a user who has none yet. */
async function setPin(user: Call, pin: string): Promise<void> {
  const body = { transaction_password: pin, confirmation: pin };
  await user('POST', '/security/transaction-password', { body, unless: 'transaction_password_exists' });
}

type Agreement = { pin: string; endpointKey: string; details?: AnyDetails; log?: SeedOptions['log'] };

/** Returns a header with a new step-up token. Waits, and logs that once, if there were too many PIN checks in a minute. */
async function stepUp(user: Call, { pin, endpointKey, details, log }: Agreement): Promise<Record<string, string>> {
  const body = {
    endpoint_key: endpointKey,
    transaction_password: pin,
    ...(details && { authorization_details: [details] }),
  };
  for (let tries = 0; ; tries++) {
    const { step_up_token: token } = await user('POST', '/security/step-up', { body, unless: 'rate_limited' });
    if (typeof token === 'string') return { 'x-step-up-token': token };
    if (tries === 0)
      log?.('waiting up to a minute: with MENU_STEP_UP=on, the menu needs more PINs than are allowed in one');
    await setTimeout(limitPauseMs);
  }
}

/**
 * Adds a waiter and changes the initial password, as the first sign-in requires. If an interrupted attempt has already added the
 * waiter, sets a new initial password.
 */
async function addWaiter(options: { call: Call; manager: Call; signIns: DemoSignIns }): Promise<void> {
  const { call, manager, signIns } = options;
  if (await isDemoUser(call, signIns.waiter)) return;
  const { email } = signIns.waiter;
  const password = randomBytes(18).toString('base64url');
  const consent = () => stepUp(manager, { pin: signIns.managerPin, endpointKey: 'user.manage' });
  const added = await manager('POST', '/users', {
    body: { name: 'Wagner', email, password, role: 'waiter' },
    consent,
    unless: 'email_taken',
  });
  if (!('id' in added)) {
    const users = (await manager('GET', '/users')) as unknown as HttpResponse[];
    const found = users.find((user) => user['email'] === email);
    if (found?.['must_change_password'] !== true)
      throw refusal(
        'The waiter of the demo has another password. Delete the data and start again:   npm start -- --reset   (with Docker: docker compose down --volumes)',
      );
    await manager('PUT', `/users/${String(found['id'])}`, { body: { password }, consent });
  }
  const waiter = caller(call.baseUrl, await signIn(call, { email, password }));
  const body = { current: password, password: signIns.waiter.password };
  // An earlier attempt may have changed the password even though the service returned 503.
  await waiter('PUT', '/auth/password', { body, unless: 'password_invalid' });
}

type HttpResponse = Record<string, unknown>;
type CallOptions = {
  body?: unknown;
  unless?: string | readonly string[];
  /**
   * Returns a header with a new step-up token. Called before each attempt, because the previous attempt may have spent its token.
   */
  consent?: () => Promise<Record<string, string>>;
  /**
   * Returns the result of an earlier attempt that was applied even though the service returned 504; null if none was. Called before
   * each further attempt.
   */
  findEarlier?: () => Promise<HttpResponse | null>;
};
type Call = {
  (method: string, path: string, options?: CallOptions): Promise<HttpResponse>;
  baseUrl: string;
};

/** Returns true if this demo user exists already, because of an earlier attempt. */
async function isDemoUser(call: Call, user: DemoSignIn): Promise<boolean> {
  return 'access_token' in (await call('POST', '/auth/login', { body: user, unless: 'invalid_credentials' }));
}

async function signIn(call: Call, user: DemoSignIn): Promise<string> {
  const { access_token: token } = await call('POST', '/auth/login', { body: user });
  return String(token);
}

/**
 * Returns a function that calls the API. If the API returns a problem whose code is in `unless`, the function returns that
 * problem like any other response. It throws all other problems.
 */
function caller(baseUrl: string, token?: string): Call {
  const call = async (
    method: string,
    path: string,
    { body, unless, consent, findEarlier }: CallOptions = {},
  ): Promise<HttpResponse> => {
    // All attempts have the same idempotency key, so a change that was applied despite a 503 is not applied again.
    const key = randomUUID();
    const send = async (): Promise<Response> =>
      fetch(baseUrl + path, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(method === 'POST' && { 'idempotency-key': key }),
          ...(await consent?.()),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    let response = await send();
    for (let tries = 1; [503, 504].includes(response.status) && tries < busyTries; tries++) {
      await setTimeout(1_000 * Number(response.headers.get('retry-after') ?? busyPauseS));
      const earlier = await findEarlier?.();
      if (earlier) return earlier;
      response = await send();
    }
    const text = await response.text();
    const value = text === '' ? {} : (JSON.parse(text) as HttpResponse);
    if (!response.ok && ![unless].flat().includes(value['code'] as string))
      throw new Error(`The demo data can't be set up: ${method} ${path} answered ${response.status} ${text}`);
    return value;
  };
  return Object.assign(call, { baseUrl });
}
