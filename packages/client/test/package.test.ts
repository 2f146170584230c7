import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';
import { seedStack } from '@comanda/testing/seed-stack';
import { startStackHere, type Stack } from '@comanda/testing/stack';

const programsOf = (guide: string): { name: string; program: string }[] =>
  [...readFileSync(join(root, 'docs/guides', guide), 'utf8').matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, name = '', program = '']) => ({ name, program }),
  );

/**
 * A typical TypeScript program that uses the package. If a type were lost, it would be `any`, and the compiler would report the
 * unused `@ts-expect-error`.
 */
const typedProgram = `import { CallFailure, createClient, type Answer } from '@comanda/client';
import { tables } from '@comanda/client/collections/tables';
import { createClient as createCore } from '@comanda/client/core';

const client = createClient({ url: 'http://localhost:3000' });
const order = await client.calls.placeOrder({ items: [{ item_id: 1, quantity: 2 }], table: '12' });
const status: 'received' | 'preparing' | 'ready' | 'delivered' | 'cancelled' = order.status;
const ready: Answer<'listOrders'> = await client.calls.listOrders({ status: 'ready' });
console.log(status, ready.length);
const reported: unknown = new Error('what a call throws');
if (reported instanceof CallFailure && reported.is('illegal_transition'))
  console.log(reported.problem.allowed_transitions.join());
const core = createCore({ url: 'http://localhost:3000' });
const seatings: (number | null)[] = core.collection(tables).rows.value.map(({ seating }) => seating);
console.log(seatings.length);
client.feed({ onEvent: (event) => void (event.type === 'order.created' && console.log(event.data.order.table)) });
// @ts-expect-error The price comes from the menu.
void client.calls.placeOrder({ items: [{ item_id: 1, quantity: 2, price: '1.00' }], table: '12' });
// @ts-expect-error An id is a number.
void client.calls.getOrder({ id: '1' });
// @ts-expect-error Money is a text.
const total: number = order.total;
console.log(total);
// @ts-expect-error The lists with callbacks are not in the core.
core.liveMenu({ onChange: () => {} });
`;
/** A program with every name that release 1.0.0 exported. */
const lastReleaseProgram = `import {
  allowedTransitions, CallFailure, createClient, createOutbox, detailsOfCall, feedStateOf, stepUpOf,
  type Answer, type AskConsent, type CallFailureOf, type CallName, type CallOptions, type Change, type ChangeSource, type Client,
  type ClientOptions, type Consent, type ConsentRequest, type FailureCode, type Feed, type FeedEvent, type FeedHandlers,
  type FeedStanding, type FeedState, type Input, type Live, type LiveHandlers, type LiveItem, type LiveOrder, type Outbox,
  type OutboxOptions, type PendingCall, type ProblemBody, type SeenOptions, type SeenReporter, type SensitiveCall,
  type SettledCall, type Storage, type Who,
} from '@comanda/client';
import { followLiveBills, type LiveBills, type LiveBillsHandlers } from '@comanda/client/live-bills';

const client: Client = createClient({ url: 'http://localhost:3000' });
const handlers: LiveHandlers<'order'> = {
  statuses: ['received', 'preparing'],
  known: [] as readonly LiveOrder[],
  compareEveryMs: 10_000,
  quietMs: 3000,
  onDrift: (ids: readonly number[]) => console.log(ids.length),
  onEvent: ({ type }: FeedEvent) => console.log(type),
  onStanding: ({ status }: FeedStanding) => console.log(status),
  onState: ({ kind }: FeedState) => console.log(kind),
  onChange: (all: readonly LiveOrder[], changes: readonly Change<LiveOrder>[], source: ChangeSource) =>
    console.log(all.length, changes.length, source),
};
const orders: Live<'order'> = client.liveOrders(handlers);
orders.apply(await client.calls.updateOrder({ id: 1, status: 'ready' }));
orders.remove(1);
const now: number = orders.feed.now();
const isKnown: boolean = orders.isComplete();
const menu: Live<'item'> = client.liveMenu({ onChange: ([dish]: readonly LiveItem[]) => console.log(dish?.price) });
menu.close();
const billHandlers: LiveBillsHandlers = { onChange: ([bill]) => console.log(bill?.total) };
const bills: LiveBills = followLiveBills(client, billHandlers);
await bills.readAgain(1);
const newest: number | undefined = bills.all().pop()?.id;
const key: string | undefined = stepUpOf('transferMoney')?.key;
const type: string | undefined = detailsOfCall('transferMoney', {})?.type;
console.log(now, isKnown, newest, key, type);
console.log(allowedTransitions, CallFailure, createOutbox, feedStateOf);
`;

describe("the package in a stranger's project", () => {
  /** The project's folder, which is outside this repository. */
  let project: string;
  let stack: Stack;
  beforeAll(async () => {
    project = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')));
    const packed = join(project, 'packed');
    mkdirSync(packed);
    await succeed(process.execPath, [join(root, 'packages/client/build.mjs'), join(packed, 'client')]);
    await npm('pack', join(packed, 'client'), '--pack-destination', packed);
    const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    // The project gets its dependencies from this repository, in the lockfile's versions. Nothing is downloaded.
    copyPackage('@preact/signals-core');
    await npm('install', '--offline', '--ignore-scripts', '--prefix', project, join(packed, tarball));
    rmSync(packed, { recursive: true });
    copyPackage('socket.io-client'); // for the guide's program without the client
    stack = await startStackHere('package');
    await seedStack(stack);
  });
  afterAll(async () => {
    rmSync(project, { recursive: true, force: true });
    await stack?.close();
  });

  /** Copies an external package and its dependencies from this repository to the project's folder. */
  function copyPackage(name: string): void {
    const from = join(root, 'node_modules', name);
    cpSync(from, join(project, 'node_modules', name), { recursive: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const each of Object.keys(dependencies)) copyPackage(each);
  }

  /** The environment variables for programs in the project, without this test run's settings for npm and Node. */
  const env: NodeJS.ProcessEnv = {
    HOME: process.env['HOME'],
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  };
  const start = (command: string, args: readonly string[]): Promise<Finished> =>
    run({ command, args, env, timeoutMs: 60_000 });
  async function succeed(command: string, args: readonly string[]): Promise<string> {
    const { code, output } = await start(command, args);
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
    return output;
  }
  const npm = (...args: string[]): Promise<string> => succeed('npm', [...args, '--no-audit', '--no-fund']);
  const write = (name: string, text: string): string => {
    writeFileSync(join(project, name), text);
    return join(project, name);
  };

  test('installs without other packages of this repository', () => {
    const installed = join(project, 'node_modules/@comanda');
    const { dependencies, license, version } = JSON.parse(
      readFileSync(join(installed, 'client/package.json'), 'utf8'),
    ) as Record<string, unknown>;

    expect(readdirSync(installed)).toEqual(['client']);
    expect(readdirSync(join(installed, 'client'))).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'types']));
    expect({ dependencies, license }).toEqual({
      dependencies: { '@preact/signals-core': expect.any(String) },
      license: 'Apache-2.0',
    });
    expect(version).toMatch(/^[1-9]\d*\.\d+\.\d+$/);
  });

  test("runs the guide's programs, which place, cook and show an order", async () => {
    const programs = ['place-and-cook-an-order.md', 'build-a-live-screen.md'].flatMap(programsOf);
    const output: Record<string, string> = {};
    for (const { name, program } of programs) {
      const file = write(name, program.replaceAll('http://localhost:3000', stack.gatewayUrl));
      output[name] = await succeed(process.execPath, [file]);
    }

    expect(output['order.mjs']).toMatch(/^order \d+: received, 124\.00 BRL\nstill one order$/);
    expect(output['kitchen.mjs']).toMatch(/\ndelivered, next: ready$/);
    expect(output['screen.mjs']).toMatch(/feed: live\nnew: order \d+, received$/);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'correct calls compile and wrong calls do not with --module %s and --moduleResolution %s',
    async (module, moduleResolution) => {
      const files = [write('typed.ts', typedProgram), write('last-release.ts', lastReleaseProgram)];
      const strict = ['--ignoreConfig', '--singleThreaded', '--strict', '--noEmit', '--skipLibCheck', 'false'];
      const options = [...strict, '--target', 'es2022', '--lib', 'es2024,dom', '--types', ''];

      const { output } = await start(join(root, 'node_modules/.bin/tsc'), [
        ...options,
        '--module',
        module,
        '--moduleResolution',
        moduleResolution,
        ...files,
      ]);

      expect(output).toBe('');
    },
  );
});
