import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPart, BillPayment } from '@comanda/contracts/bill-payments';
import { followPixCode, type PixCharge, type PixCode } from '@comanda/ui/bill/pix-code.ts';
import { withTip } from '@comanda/ui/bill/tip-choice.ts';
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { onDeviceLater } from '../on-device-later.ts';
import { cancelReservation } from './prepare-payment.ts';

export type PixMode = Answer<'getPix'>['mode'];
/** The part that a guest pays by Pix. `amount` is its price without the tip, as the guest saw it. */
export type PixPlan = { billId: number; currency: string; part: BillPart; amount: string; tip: string };
/** This guest's last Pix, as stored on this device: the code stays readable without a network and after a reload. */
export type KeptPix = {
  plan: PixPlan;
  userId: number;
  /** The reservation's idempotency key. */
  key: string;
  /** The reserved payment; null until the part is reserved. */
  payment: BillPayment | null;
  /** The payment's code; null until the bank has created it. */
  charge: PixCharge | null;
  /** When the plan was made, in milliseconds, by this device's clock. */
  at: number;
};
/** What happens before there is a payment. */
export type PixStep =
  | { kind: 'reserving' }
  /** The part's price is no longer the one that the guest saw. Both are totals with the tip. */
  | { kind: 'changed'; plan: PixPlan; before: string; now: string }
  | { kind: 'not_reserved'; failure: CallFailure };

type Deps = { client: Client; bills: ReadonlySignal<readonly Bill[]>; isOwn: (userId: number) => boolean };
export type PixPayment = ReturnType<typeof openPixPayment>;

/** A plan without a payment is forgotten after 15 minutes, because the guests may have left. */
const plannedForMs = 15 * 60_000;

/** Pays a part of the bill by Pix: reserves the part, gets its code, and follows the payment by the feed. */
export function openPixPayment({ client, bills, isOwn }: Deps) {
  const entry = onDeviceLater.pix;
  const kept = signal<KeptPix | null>(entry.get());
  const step = signal<PixStep>({ kind: 'reserving' });
  const codes = signal<ReadonlyMap<number, PixCode>>(new Map());
  /** How the restaurant takes Pix; null until it is known. Until then, guests pay in another way. */
  const mode = signal<PixMode | null>(null);
  /** The key of the reservation that has no response yet. */
  let reservingKey: string | null = null;

  function keep(next: KeptPix | null): void {
    kept.value = next;
    entry.write(next);
  }
  const change = (part: Partial<KeptPix>): void => {
    if (kept.value) keep({ ...kept.value, ...part });
  };
  /** This guest's own Pix. */
  const own = computed(() => {
    const { value } = kept;
    return value !== null && isOwn(value.userId) ? value : null;
  });
  const listed = computed(
    () => new Map(bills.value.flatMap(({ payments }) => payments).map((payment) => [payment.id, payment])),
  );
  const latest = (payment: BillPayment): BillPayment => listed.value.get(payment.id) ?? payment;

  async function loadMode(): Promise<void> {
    try {
      mode.value = (await client.calls.getPix({})).mode;
    } catch (error) {
      // Without this answer, the page offers the ways that need none.
      if (!(error instanceof CallFailure)) throw error;
    }
  }

  /** Reserves the part. With the same key, a repetition reserves it only once. */
  async function reserve(): Promise<void> {
    const planned = own.value;
    if (!planned || planned.payment !== null || reservingKey === planned.key) return;
    reservingKey = planned.key;
    step.value = { kind: 'reserving' };
    const isCurrent = (): boolean => kept.value?.key === planned.key;
    try {
      const payment = await client.calls.payBill(reservationOf(planned.plan), { idempotencyKey: planned.key });
      if (isCurrent()) change({ payment });
      // In the meantime, the guest has selected another part.
      else cancelReservation(client, payment);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (!isCurrent()) return;
      reservingKey = null;
      if (error.is('bill_changed')) {
        const plan = { ...planned.plan, amount: error.problem.amount };
        // Only once the guest continues is it the plan: a reload must not reserve it.
        step.value = { kind: 'changed', plan, before: withTip(planned.plan), now: withTip(plan) };
      } else {
        step.value = { kind: 'not_reserved', failure: error };
      }
    }
  }

  // What the feed says about the own payment is stored, so that a reload without a network shows it too.
  const stopStoring = effect(() => {
    const { payment } = own.value ?? {};
    const now = payment && listed.value.get(payment.id);
    if (now && now.status !== payment.status) untracked(() => change({ payment: now }));
  });
  return {
    mode,
    loadMode,
    step,
    own,
    /** Returns this payment as it was last seen, by default this user's own; null if this phone doesn't know it. */
    paymentOf: (id: number | undefined): BillPayment | null => {
      const { payment } = own.value ?? {};
      if (id === undefined || payment?.id === id) return payment ? latest(payment) : null;
      return listed.value.get(id) ?? null;
    },
    codeOf: (id: number): PixCode => {
      const { charge } = own.value ?? {};
      if (charge?.payment_id === id) return { kind: 'ready', charge };
      return codes.value.get(id) ?? { kind: 'loading' };
    },
    /** Plans a new payment, whose reservation replaces this guest's earlier one. */
    begin: (plan: PixPlan): void => {
      step.value = { kind: 'reserving' };
      const userId = client.who()?.userId ?? 0;
      keep({ plan, userId, key: client.newKey(), payment: null, charge: null, at: Date.now() });
    },
    /** Call this when the page is opened: continues a plan that is not reserved yet. */
    open: (): void => {
      const { value } = own;
      const isOld = value !== null && value.payment === null && Math.abs(Date.now() - value.at) > plannedForMs;
      if (isOld) keep(null);
      void reserve();
    },
    reserve,
    /** Continues with the changed price, which the guest has seen. */
    acceptPrice: (): void => {
      if (step.value.kind === 'changed') change({ plan: step.value.plan, key: client.newKey() });
      void reserve();
    },
    /** Loads a payment's code. Returns a function that stops asking for it. */
    followCode: (payment: BillPayment, currency: string): (() => void) =>
      followPixCode(client, {
        payment,
        currency,
        onCode: (code) => {
          codes.value = new Map(codes.value).set(payment.id, code);
          if (code.kind === 'ready' && own.value?.payment?.id === payment.id) change({ charge: code.charge });
        },
      }),
    /** Cancels a reserved payment: its part is free again. @throws CallFailure */
    cancel: async ({ bill_id: id, id: paymentId }: BillPayment): Promise<void> => {
      await client.calls.cancelBillPayment({ id, payment_id: paymentId });
      if (kept.value?.payment?.id === paymentId) keep(null);
    },
    /** Forgets the own payment once it is paid and the guest has read that. */
    forgetPaid: (): void => {
      if (own.value?.payment && latest(own.value.payment).status === 'paid') keep(null);
    },
    close: stopStoring,
  };
}

const reservationOf = ({ billId, part, amount, tip }: PixPlan) =>
  ({ id: billId, method: 'pix', part, expected_amount: amount, tip }) as const;
