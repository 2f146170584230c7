import type { Client } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import { restaurant as settings } from '@comanda/client/collections/restaurant';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { defaultLanguage } from '@comanda/contracts/rules';
import { isSameName } from '@comanda/contracts/text-key';
import { computed, effect, signal } from '@preact/signals';
import { isMissing } from '@comanda/ui/feed-state.ts';
import type { PartChoice } from '@comanda/ui/bill/part-choice.ts';
import type { TipChoice } from '@comanda/ui/bill/tip-choice.ts';
import { named } from '../in-guest-language.ts';
import type { Seat } from '../seat/seat.ts';
import { quietMs } from '../quiet-ms.ts';
import { openPinPayment } from './pin-payment.ts';
import { openPixPayment } from './pix-payment.ts';

type Deps = { client: Client; seat: Seat };
/** What a guest has selected to pay on one bill. It stays while they sign in or visit another page. */
type Draft = { billId: number; choice: PartChoice | null; tip: TipChoice };
export type Bills = ReturnType<typeof openBills>;

/** The bill of this phone's table, kept up to date by the feed. */
export function openBills({ client, seat }: Deps) {
  const { who, table, scanTrouble } = seat;
  const { rows: received, state, feedState, close } = client.collection(bills, { quietMs });
  const { rows: settingsRows, close: closeSettings } = client.collection(settings);
  /**
   * The restaurant's settings; null until they are loaded. Until then, no tips are suggested, and the service charge can't be
   * declined.
   */
  const restaurant = computed(() => settingsRows.value[0] ?? null);
  const isComplete = computed(() => state.value === 'complete');
  /** The last bill of a table that was closed. It stays readable until the next scan. */
  const kept = signal<Bill | null>(null);
  /** Returns false for an empty bill, for example after all its orders were cancelled. */
  const hasAnything = ({ lines, payments }: Bill): boolean => lines.length + payments.length > 0;
  const isHere = (bill: Bill): boolean =>
    who.value?.seating === undefined ? isSameName(bill.table, table.value) : bill.seating === who.value.seating;
  /** The table's open bill, or the newest closed one if none is open. The next order starts a new bill. */
  const shown = computed<Bill | null>(() => {
    if (table.value === null && scanTrouble.value !== 'ended') return null;
    if (table.value === null) return received.value.find(({ id }) => id === kept.value?.id) ?? kept.value;
    const here = received.value.filter((bill) => isHere(bill) && hasAnything(bill));
    return here.find(({ status }) => status === 'open') ?? here[0] ?? null;
  });
  const languageOf = () => restaurant.value?.language ?? defaultLanguage;
  const current = computed(
    () => shown.value && { ...shown.value, lines: shown.value.lines.map((line) => named(line, languageOf())) },
  );
  const stopKeeping = effect(() => {
    if (table.value !== null) kept.value = shown.value;
  });
  const draft = signal<Draft>({ billId: 0, choice: null, tip: null });
  const pinPayment = openPinPayment({ client, bills: received });
  const pix = openPixPayment({ client, bills: received, isOwn: seat.isOwn });
  void pix.loadMode();
  // After a payment, the selection is cleared.
  const stopForgetting = effect(() => {
    const { kind, outcome } = { outcome: null, ...pinPayment.stage.value };
    const isPaid = (kind === 'ended' && outcome === 'paid') || pix.own.value?.payment?.status === 'paid';
    if (isPaid) draft.value = { billId: 0, choice: null, tip: null };
  });
  return {
    current,
    /** True while the bill is loading, so a bill that isn't shown may still exist. */
    isBeingRead: computed(() => table.value !== null && !isComplete.value),
    /** Since when the bill may be outdated or missing, by the server's clock, and why; null while the feed is live. */
    notLive: computed(() => (table.value !== null && feedState.value.kind === 'not_live' ? feedState.value : null)),
    /** True if bills can't be loaded, so the bill may be missing. */
    isMissing: computed(() => table.value !== null && isMissing(feedState.value, isComplete.value)),
    restaurant,
    pinPayment,
    pix,
    /** Returns this guest's Pix that is not paid yet; null if there is none. */
    ownPixOf: ({ payments }: Bill): BillPayment | null =>
      payments.find(
        ({ method, status, payer }) =>
          method === 'pix' && status === 'reserved' && payer !== null && seat.isOwn(payer.id),
      ) ?? null,
    /** Returns what is selected to pay on this bill. */
    draftOf: ({ id }: Bill): Draft =>
      draft.value.billId === id ? draft.value : { billId: id, choice: null, tip: null },
    changeDraft: (next: Draft): void => {
      draft.value = next;
    },
    /** Returns true if this user may read the bill. */
    isReadable: (billId: number): boolean => received.value.some(({ id }) => id === billId),
    /** Returns true if this user may pay: everyone at a table, and customers who ordered or paid something on this bill. */
    mayPay: ({ lines, payments }: Bill): boolean => {
      const own = who.value?.userId;
      const isKnown =
        lines.some(({ ordered_by: by }) => by.id === own) || payments.some(({ payer }) => payer?.id === own);
      return table.value !== null || (own !== undefined && isKnown);
    },
    /** True if this guest may decline the service charge. */
    mayDecline: computed(
      () => restaurant.value?.service_charge.optional === true && who.value?.seating === current.value?.seating,
    ),
    /** Adds the service charge to the bill, or removes it. @throws CallFailure */
    setServiceCharge: async ({ id }: Bill, included: boolean): Promise<void> => {
      await client.calls.setServiceCharge({ id, included });
    },
    close: (): void => {
      closeSettings();
      stopForgetting();
      pinPayment.close();
      pix.close();
      close();
      stopKeeping();
    },
  };
}
