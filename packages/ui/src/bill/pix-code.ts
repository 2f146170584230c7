import { CallFailure, type Answer, type Client, type Input } from '@comanda/client/core';

export type PixCharge = Answer<'createPixCharge'>;
/** A payment's Pix code. `late`: the bank or the network doesn't respond, and the page keeps asking. */
export type PixCode =
  | { kind: 'loading' }
  | { kind: 'late' }
  | { kind: 'ready'; charge: PixCharge }
  | { kind: 'refused'; failure: CallFailure };
type Wanted = {
  payment: { id: number; total: string };
  currency: string;
  onCode: (code: PixCode) => void;
};

const askAgainMs = 3_000;
/** How often the bank may be silent until the page says so. */
const quietFailures = 1;

/**
 * Asks for the code of a reserved payment until there is one, or the server rejects it. Every phone that asks gets the same code.
 * Returns a function that stops asking.
 */
export function followPixCode(client: Pick<Client, 'calls'>, wanted: Wanted): () => void {
  const leaving = new AbortController();
  void ask(client, wanted, leaving.signal);
  return () => leaving.abort();
}

async function ask({ calls }: Pick<Client, 'calls'>, { payment, currency, onCode }: Wanted, left: AbortSignal) {
  const input = {
    payment_id: payment.id,
    amount: payment.total,
    currency: currency as Input<'createPixCharge'>['currency'],
  };
  for (let failures = 0; !left.aborted; failures++) {
    try {
      return onCode({ kind: 'ready', charge: await calls.createPixCharge(input, { signal: left, repeat: 'never' }) });
    } catch (error) {
      if (left.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      if (!error.isUndecided) return onCode({ kind: 'refused', failure: error });
      if (failures >= quietFailures) onCode({ kind: 'late' });
      await pause(error.retryAfterMs ?? askAgainMs, left);
    }
  }
}

/** Waits this long, or until the page is left. */
const pause = (ms: number, left: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    left.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
