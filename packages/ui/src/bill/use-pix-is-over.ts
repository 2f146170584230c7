import type { Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { useEffect, useState } from 'preact/hooks';
import type { PixCharge } from './pix-code.ts';

/** The bank's code ends this long before the reservation, so that a payment at the last moment still finds its part. */
const beforeEndMs = 60_000;

/** Returns when a code can no longer be paid, in milliseconds by the server's clock. */
export const endOfCode = ({ mode, expires_at: at }: Pick<PixCharge, 'mode' | 'expires_at'>): number =>
  Date.parse(at) - (mode === 'bank' ? beforeEndMs : 0);

/** Returns true once the code of a reserved payment can no longer be paid. `charge` is null while there is none. */
export function usePixIsOver(
  client: Pick<Client, 'now'>,
  { expires_at: reservedUntil }: BillPayment,
  charge: PixCharge | null,
): boolean {
  const [, setOver] = useState(0);
  const endMs = charge ? endOfCode(charge) : Date.parse(reservedUntil ?? '');
  const isOver = client.now() >= endMs;
  useEffect(() => {
    if (isOver || Number.isNaN(endMs)) return undefined;
    const timer = setTimeout(() => setOver(endMs), endMs - client.now() + 50);
    return () => clearTimeout(timer);
  }, [client, endMs, isOver]);
  return isOver;
}
