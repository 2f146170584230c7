// npm run pictures: starts the demo on its own servers, plays a scene, and takes the README's screenshots in a real browser. It
// writes them to docs/pictures.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createClient, type Client, type Consent } from '@comanda/client';
import { startBrowser } from '@comanda/testing/browser';
import { startStack } from '@comanda/testing/stack';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { appFolders, buildApps } from '@comanda/local-stack/build-apps';
import { publicSignIns, type DemoSignIn } from '@comanda/local-stack/demo-sign-ins';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir, root } from '@comanda/local-stack/root';
import { seedDemo } from '@comanda/local-stack/seed';
import { startEphemeralServers } from '@comanda/local-stack/servers/ephemeral-servers';
import { defineCommand, readCommandLine } from './command-line.ts';

readCommandLine(
  defineCommand({
    name: 'npm run pictures',
    script: 'pictures',
    about:
      'Starts the demo on servers of its own and takes the pictures of the README in a browser, into docs/pictures.',
    options: {},
  }),
);

const folder = join(root, 'docs/pictures');
const log = (line: string): void => console.error(line);
/** `option`: the name of a chosen option of the dish's first group. */
type Line = [dish: string, quantity: number, remarks?: string | undefined, option?: string];
type Scene = { table: string; guest: string; lines: Line[]; allergies?: string; status?: 'preparing' | 'ready' };

const scenes: readonly Scene[] = [
  {
    table: '7',
    guest: 'Rafael',
    status: 'preparing',
    lines: [
      ['Moqueca', 1],
      ['Picanha', 1, undefined, 'Mal passada'],
      ['Pão', 2],
    ],
  },
  {
    table: '3',
    guest: 'Bia',
    lines: [
      ['Feijoada', 2, 'sem pimenta'],
      ['Risoto', 1],
    ],
  },
  {
    table: '12',
    guest: 'Ana',
    status: 'preparing',
    allergies: 'amendoim',
    lines: [
      ['Picanha', 1, undefined, 'Mal passada'],
      ['Picanha', 2, undefined, 'Ao ponto'],
      ['Moqueca', 1, 'sem coentro'],
      ['Feijoada', 2],
    ],
  },
  {
    table: '5',
    guest: 'Davi',
    status: 'ready',
    lines: [
      ['Bolinho', 1],
      ['Risoto', 2, 'um sem parmesão'],
    ],
  },
  {
    table: '9',
    guest: 'Lia',
    status: 'preparing',
    lines: [
      ['Picanha', 3, undefined, 'Bem passada'],
      ['Pudim', 1],
    ],
  },
  {
    table: '2',
    guest: 'Caio',
    lines: [
      ['Moqueca', 2, 'sem dendê'],
      ['Prato do dia', 1],
    ],
  },
  {
    table: '4',
    guest: 'Téo',
    lines: [['Risoto', 1]],
  },
  {
    table: '10',
    guest: 'Nina',
    allergies: 'camarão',
    lines: [
      ['Pão', 6],
      ['Moqueca', 1, 'sem camarão no caldo'],
    ],
  },
];

async function play(url: string, staff: Client): Promise<string> {
  const menu = await staff.calls.listMenu();
  const tables = await staff.calls.listTables();
  const groups = await staff.calls.listOptionGroups();
  const dishOf = (name: string): (typeof menu)[number] => {
    const dish = menu.find((each) => each.name.startsWith(name));
    if (!dish) throw new Error(`the demo's menu has no ${name}`);
    return dish;
  };
  const choose = (dish: string, name: string): { id: number }[] => {
    const group = groups.find(({ id }) => id === dishOf(dish).option_group_ids?.[0]);
    return group?.options.filter((option) => option.name === name).map(({ id }) => ({ id })) ?? [];
  };
  for (const { table, guest, lines, allergies, status } of scenes) {
    const client = createClient({ url });
    const token = tables.find((each) => each.table === table)?.table_token ?? '';
    await client.signInAsGuest({ table_token: token, name: guest });
    const order = await client.calls.placeOrder({
      items: lines.map(([dish, quantity, remarks, option]) => ({
        item_id: dishOf(dish).id,
        quantity,
        ...(option !== undefined && { options: choose(dish, option) }),
        ...(remarks !== undefined && { remarks }),
      })),
      ...(allergies !== undefined && { allergies }),
    });
    if (status) await staff.calls.updateOrder({ id: order.id, status: 'preparing' });
    if (status === 'ready') await staff.calls.updateOrder({ id: order.id, status: 'ready' });
    client.close();
  }
  return tables.find(({ table }) => table === '12')?.table_token ?? '';
}

const customerPin = '481953';
/** Makes two guests pay each other, so there is a bank statement to show. Returns the second guest's account. */
async function playMoney(url: string): Promise<number> {
  const guest = async (user: DemoSignIn, pin: string) => {
    const onConsent = (): Promise<Consent> => Promise.resolve({ transaction_password: pin });
    const client = createClient({ url, onConsent });
    await client.signIn(user);
    await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    const [account] = await client.calls.listAccounts();
    const send = (to: number, amount: string, description: string) =>
      client.calls.transferMoney({ from_account_id: account?.id ?? 0, to_account_id: to, amount, description });
    return { account: account?.id ?? 0, send, close: client.close };
  };
  const first = await guest(publicSignIns.customer, customerPin);
  const second = await guest(publicSignIns.second, '739152');
  await first.send(second.account, '62.00', 'Moqueca for two');
  await second.send(first.account, '18.50', 'Taxi');
  await first.send(second.account, '7.00', 'Caipirinha');
  first.close();
  second.close();
  return second.account;
}

const shoot = (page: Page, name: string): Promise<unknown> => page.screenshot({ path: join(folder, `${name}.png`) });

type Screen = { width: number; height: number; scale: number };

async function open(browser: Browser, { width, height, scale }: Screen, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

async function signIn(page: Page, user = publicSignIns.waiter): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function takeAccountPictures(browser: Browser, url: string): Promise<void> {
  const payee = await playMoney(url);
  const phone = await open(browser, { width: 390, height: 780, scale: 1.5 }, `${url}/#/account`);
  await signIn(phone, publicSignIns.customer);
  await phone.getByRole('link', { name: 'Caipirinha' }).waitFor();
  await shoot(phone, 'account');
  await phone.getByRole('button', { name: 'Transfer' }).click();
  await phone.getByRole('textbox', { name: 'To account number' }).fill(String(payee));
  await phone.getByRole('textbox', { name: 'Amount' }).fill('37.50');
  await phone.getByRole('textbox', { name: 'Note' }).fill('My half of the dinner');
  await phone.getByRole('button', { name: 'Review transfer' }).click();
  await phone.getByRole('group', { name: 'PIN' }).waitFor();
  await phone.keyboard.type(customerPin.slice(0, 4));
  await shoot(phone, 'pin');
  await phone.keyboard.type(customerPin.slice(4));
  await phone.getByRole('button', { name: 'Confirm transfer' }).click();
  await phone.getByRole('heading', { name: 'Completed' }).waitFor();
  await shoot(phone, 'receipt');
}

/** Takes screenshots while the guest pays part of the table's bill by Pix. */
async function takeBillPictures(phone: Page, url: string, bank: FakeBank): Promise<void> {
  const button = (name: string | RegExp) => phone.getByRole('button', { name }).click();
  await phone.goto(`${url}/#/bill`);
  await phone.getByRole('heading', { name: 'Bill for table 12' }).waitFor();
  await phone.waitForTimeout(1_000);
  await shoot(phone, 'bill');
  await button(/^Pay · /);
  await button('Split equally');
  await phone.waitForTimeout(500);
  await shoot(phone, 'pay');
  await button('Pay with Pix');
  await phone.getByRole('img', { name: /^Pix QR code/ }).waitFor();
  await phone.waitForTimeout(500);
  await shoot(phone, 'pix');
  bank.payCode((await phone.locator('.pix-code').textContent()) ?? '');
  await phone.getByRole('heading', { name: /^Paid / }).waitFor();
  await phone.waitForTimeout(500);
  await shoot(phone, 'paid');
}

async function takePictures(url: string, tableToken: string, bank: FakeBank): Promise<void> {
  const browser = await startBrowser();
  try {
    const board = await open(browser, { width: 1280, height: 800, scale: 1 }, `${url}/kitchen`);
    await signIn(board);
    await board.getByRole('button', { name: 'Start shift' }).click();
    await board.getByRole('article', { name: 'Table 12, ticket' }).first().waitFor();
    await board.waitForTimeout(3_000); // New tickets flash three times.
    await shoot(board, 'kitchen');

    const waiter = await open(browser, { width: 390, height: 780, scale: 1.5 }, `${url}/kitchen#/waiter`);
    await signIn(waiter);
    await waiter.waitForTimeout(2_000);
    await shoot(waiter, 'waiter');

    const phone = await open(
      browser,
      { width: 390, height: 780, scale: 1.5 },
      `${url}/?t=${encodeURIComponent(tableToken)}`,
    );
    await phone.getByRole('button', { name: 'Add Feijoada' }).waitFor();
    await phone.getByRole('button', { name: 'Add Cheese bread' }).click();
    await phone.waitForTimeout(1_000);
    await shoot(phone, 'menu');
    await phone.goto(`${url}/#/orders`);
    await phone
      .getByRole('article', { name: /Order \d+/ })
      .first()
      .waitFor();
    await phone.waitForTimeout(1_000);
    await shoot(phone, 'orders');
    await takeAccountPictures(browser, url);
    await takeBillPictures(phone, url, bank);
  } finally {
    await browser.close();
  }
}

mkdirSync(folder, { recursive: true });
const reaper = await startReaper();
try {
  const dataDir = mkdtempSync(join(tmpdir(), 'comanda-pictures-'));
  const urls = await startEphemeralServers({ given: {}, programsDir, dataDir, log, reaper });
  const apps = join(dataDir, 'apps');
  await buildApps(apps);
  const servers = {
    mongodbUri: urls.MONGODB_URI,
    database: 'pictures',
    redisUrl: urls.REDIS_URL,
    redisPrefix: 'pictures:',
    rabbitmqUrl: urls.RABBITMQ_URL,
  };
  const bank = await startFakeBank();
  const stack = await startStack(servers, { ...appFolders(apps), ...bank.settings, RATE_LIMIT_SIGN_IN: '1000' });
  try {
    await seedDemo({
      gatewayUrl: stack.gatewayUrl,
      createManager: stack.createManager,
      log,
      signIns: publicSignIns,
    });
    const staff = createClient({ url: stack.gatewayUrl });
    await staff.signIn(publicSignIns.waiter);
    await takePictures(stack.gatewayUrl, await play(stack.gatewayUrl, staff), bank);
    staff.close();
    log(`the pictures are in ${folder}`);
  } finally {
    await stack.close();
    await bank.close();
  }
} finally {
  await reaper.finish();
}
