import { CallFailure, type Client, type Input } from '@comanda/client/core';
import { useDraft } from '../../cash/drafts.ts';
import { onDeviceLater } from '../../on-device-later.ts';

/**
 * A part of a bill that is, or may be, reserved for a Pix. `input` is the call that reserves it, and `key` the call's idempotency key.
 * `paymentId` is null until the server responds.
 */
export type PixReservation = {
  input: Input<'payBill'>;
  key: string;
  table: string | null;
  paymentId: number | null;
};

/**
 * The part of a bill that this manager has reserved for a Pix; null if there is none. It is stored until the Pix is assigned or the
 * part is released, even over a reload: otherwise the part would stay reserved, and nobody would know its payment.
 */
export function usePixReservation(client: Pick<Client, 'calls' | 'who'>, e2e: string) {
  const { calls } = client;
  const { draft: reservation, set } = useDraft<PixReservation | null>(
    onDeviceLater.pixReservations,
    `${client.who()?.userId ?? 0} ${e2e}`,
    null,
  );
  /** Returns the payment's id. With the same key, a repetition after a call without a response reserves the part only once. */
  async function reserve(of: PixReservation): Promise<number> {
    if (of.paymentId !== null) return of.paymentId;
    set(of);
    try {
      const { id } = await calls.payBill(of.input, { idempotencyKey: of.key });
      set({ ...of, paymentId: id });
      return id;
    } catch (error) {
      if (isRefused(error)) set(null);
      throw error;
    }
  }
  /** Frees the part. If the response to its reservation was lost, asks for it again first. */
  async function release(of: PixReservation): Promise<void> {
    try {
      const paymentId = await reserve(of);
      await calls.cancelBillPayment({ id: of.input.id, payment_id: paymentId });
    } catch (error) {
      // If it was refused, the part isn't reserved: it never was, has expired, or is paid.
      if (!isRefused(error)) throw error;
    }
    set(null);
  }
  return { reservation, reserve, release, forget: () => set(null) };
}

const isRefused = (error: unknown): boolean => error instanceof CallFailure && !error.isUndecided && !error.needsSignIn;
