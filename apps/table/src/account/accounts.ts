import type { Answer, FeedEvent, FeedStanding } from '@comanda/client';
import { batch, computed, signal } from '@preact/signals';
import { formatMoney } from '@comanda/ui/format.ts';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { announce } from '../state/announce.ts';
import { client } from '../state/client.ts';
import { who } from '../state/seat.ts';
import { accountMessages } from './messages.ts';

export type Account = Answer<'listAccounts'>[number];
export type Entry = Answer<'listEntries'>[number];
export type Transfer = Answer<'getTransfer'>;

const pageSize = 15;

/** The user's own accounts; null until they were read. */
export const accounts = signal<readonly Account[] | null>(null);
/** Why accounts or the statement could not be read the last time. */
export const readFailure = signal<unknown>(null);
/** When they were read, by this device's clock. */
export const readAt = signal(0);
const chosenId = signal<number | null>(null);
export const account = computed<Account | null>(
  () => accounts.value?.find(({ id }) => id === chosenId.value) ?? accounts.value?.[0] ?? null,
);
/** The entries of the chosen account that were read, newest first; null until then. */
export const entries = signal<readonly Entry[] | null>(null);
export const hasOlder = signal(false);
export const isReadingOlder = signal(false);
/** Transfers by their id, each with its receipt. */
export const transfers = signal<ReadonlyMap<number, Transfer>>(new Map());
export const areAmountsHidden = signal(readSetting('hide-amounts') === 'yes');
/** Since when there is no live feed, by this device's clock; null while there is one. */
export const feedLostAt = signal<number | null>(null);

export function toggleAmounts(): void {
  areAmountsHidden.value = !areAmountsHidden.value;
  writeSetting('hide-amounts', areAmountsHidden.value ? 'yes' : null);
}
/** The amount for the eyes of the user, or dots while amounts are hidden. */
export const shownMoney = (amount: string, currency: string): string =>
  areAmountsHidden.value ? formatMoney('0', currency).replaceAll(/[0-9.,]+/g, '••••') : formatMoney(amount, currency);

let olderPages: AsyncGenerator<readonly Entry[], void> | null = null;
/** Counts what makes earlier readings worthless: another user, another account. */
let era = 0;

export function forgetAccounts(): void {
  era++;
  olderPages = null;
  batch(() => {
    accounts.value = null;
    entries.value = null;
    hasOlder.value = false;
    chosenId.value = null;
    transfers.value = new Map();
    readFailure.value = null;
  });
}

export function chooseAccount(id: number): void {
  if (id === account.value?.id) return;
  era++;
  olderPages = null;
  batch(() => {
    chosenId.value = id;
    entries.value = null;
    hasOlder.value = false;
  });
  void readAccounts();
}

let reading: Promise<void> | null = null;
let isReadWanted = false;
/** Reads balances and the newest entries. Calls in the meantime cause one more reading after it. */
export function readAccounts(): Promise<void> {
  isReadWanted = true;
  reading ??= (async () => {
    try {
      while (isReadWanted) {
        isReadWanted = false;
        await readOnce();
      }
    } finally {
      reading = null;
    }
  })();
  return reading;
}
async function readOnce(): Promise<void> {
  const begun = era;
  const ownerId = who.value?.userId;
  if (ownerId === undefined) return;
  try {
    const own: Account[] = [];
    // Managers see all accounts: here they see their own.
    for await (const page of client.pages('listAccounts', { owner_id: ownerId, limit: 50 })) own.push(...page);
    if (begun !== era) return;
    accounts.value = own;
    const id = account.value?.id;
    if (id !== undefined) await readNewestEntries(id, begun);
    if (begun !== era) return;
    batch(() => {
      readFailure.value = null;
      readAt.value = Date.now();
    });
  } catch (error) {
    if (begun === era) readFailure.value = error;
  }
}
/** Reads pages until they meet what is known, so that nothing in between is missing. */
async function readNewestEntries(id: number, begun: number): Promise<void> {
  const readBefore = new Set((entries.peek() ?? []).map((entry) => entry.id));
  const pages = client.pages('listEntries', { id, limit: pageSize });
  const read: Entry[] = [];
  for (;;) {
    const { value: page, done } = await pages.next();
    if (begun !== era) return;
    if (done === true || !page) {
      hasOlder.value = false;
      break;
    }
    read.push(...page);
    if (readBefore.size === 0) {
      olderPages = pages;
      hasOlder.value = page.length === pageSize;
    }
    if (readBefore.size === 0 || page.some((entry) => readBefore.has(entry.id))) break;
  }
  addEntries(read);
}
function addEntries(more: readonly Entry[]): void {
  const byId = new Map([...(entries.peek() ?? []), ...more].map((entry) => [entry.id, entry]));
  entries.value = [...byId.values()].toSorted((a, b) => b.id - a.id);
}

/** The owner of an account, if this one has sent money there or received some from it; null if that is not known. */
export function knownOwner(accountId: number): string | null {
  const met = entries.value?.find(({ counterparty }) => counterparty.account_id === accountId);
  return met?.counterparty.owner_name ?? null;
}

export async function readOlder(): Promise<void> {
  if (!olderPages || isReadingOlder.value) return;
  const begun = era;
  isReadingOlder.value = true;
  try {
    const { value: page, done } = await olderPages.next();
    if (begun !== era) return;
    hasOlder.value = done !== true && page.length === pageSize;
    if (page) addEntries(page);
  } catch (error) {
    if (begun === era) {
      readFailure.value = error;
      // A generator that has thrown is at its end: the next one goes through the pages again.
      const id = account.value?.id;
      olderPages = id === undefined ? null : client.pages('listEntries', { id, limit: pageSize });
    }
  } finally {
    isReadingOlder.value = false;
  }
}

const beingRead = new Map<number, Promise<Transfer>>();
export function rememberTransfer(transfer: Transfer): void {
  transfers.value = new Map([...transfers.peek(), [transfer.id, transfer]]);
}
/** One transfer, which never changes once it is posted. */
export function readTransfer(id: number): Promise<Transfer> {
  const cached = transfers.peek().get(id);
  if (cached) return Promise.resolve(cached);
  const begun = era;
  const promise =
    beingRead.get(id) ??
    client.calls.getTransfer({ id }).finally(() => {
      beingRead.delete(id);
    });
  beingRead.set(id, promise);
  return promise.then((transfer) => {
    if (begun === era) rememberTransfer(transfer);
    return transfer;
  });
}

export async function openAccount(name: string): Promise<void> {
  const opened = await client.calls.openAccount(name === '' ? {} : { name });
  accounts.value = [...(accounts.value ?? []), opened];
  chooseAccount(opened.id);
  await readAccounts();
}

const isOwn = (id: number): boolean => (accounts.peek() ?? []).some((each) => each.id === id);
function announcePosted(transfer: Transfer): void {
  if (areAmountsHidden.peek() || !isOwn(transfer.to_account_id) || isOwn(transfer.from_account_id)) return;
  const amount = formatMoney(transfer.amount, transfer.currency);
  announce(accountMessages().received(amount, transfer.from_account_id));
}

/** What else wants to hear of events while account pages are open. */
type Listeners = { onPosted: () => void; onPinEvent: () => void };
/** The server's time, in milliseconds: by the feed if there is one. */
export let serverNow = (): number => Date.now();

const unsaidMs = 5000;
/** Keeps balances up to date by the feed. Returns a function that ends this. */
export function followAccounts({ onPosted, onPinEvent }: Listeners): () => void {
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  const onEvent = ({ type, data }: FeedEvent): void => {
    if (type === 'transfer.posted') {
      const { transfer } = data as { transfer: Transfer };
      rememberTransfer(transfer);
      announcePosted(transfer);
      void readAccounts();
      onPosted();
    }
    if (type.startsWith('security.')) onPinEvent();
  };
  const onStanding = ({ status }: FeedStanding): void => {
    if (status === 'live') {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      feedLostAt.value = null;
      // What was posted before the feed was live is in the list.
      void readAccounts();
      onPinEvent();
    } else if (status !== 'signed_out' && lostTimer === undefined) {
      const since = Date.now();
      lostTimer = setTimeout(() => (feedLostAt.value = since), unsaidMs);
    }
  };
  const feed = client.feed({ onEvent, onStanding });
  serverNow = feed.now;
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') void readAccounts();
  };
  document.addEventListener('visibilitychange', onVisible);
  void readAccounts();
  return () => {
    feed.close();
    clearTimeout(lostTimer);
    feedLostAt.value = null;
    document.removeEventListener('visibilitychange', onVisible);
  };
}
