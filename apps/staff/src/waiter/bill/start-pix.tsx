import type { Bill } from '@comanda/contracts/bills';
import type { BillPart } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { withTip } from '@comanda/ui/bill/tip-choice.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { goTo } from '../../address.ts';
import type { WaiterSession } from '../waiter-session.ts';
import { pixWords } from './pix-messages.ts';

type StartPixProps = {
  session: WaiterSession;
  bill: Bill;
  part: BillPart;
  amount: string;
  /** Null if the typed text isn't an amount. */
  tip: string | null;
};

/** Reserves a part for a payment by Pix, and opens the page with its code. */
export function StartPix({ session: { client }, bill: { id, currency }, part, amount, tip }: StartPixProps) {
  const { failure, isBusy, run } = useAction();
  // A payment that may have been reserved already is repeated with its key. Any other one is new.
  const [last, setLast] = useState({ of: '', key: '' });
  const start = (): void => {
    if (tip === null) return;
    const input = { id, method: 'pix', part, expected_amount: amount, tip } as const;
    const of = JSON.stringify(input);
    const key = last.of === of ? last.key : client.newKey();
    setLast({ of, key });
    void run(async () => {
      const payment = await client.calls.payBill(input, { idempotencyKey: key });
      goTo(`#/waiter/bill/${id}/pix/${payment.id}`);
    });
  };
  return (
    <div class="pay-record">
      {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
      <Button kind="primary" size="large" aria-disabled={tip === null || isBusy} onClick={start}>
        {pixWords().start(formatMoney(withTip({ amount, tip: tip ?? '0.00' }), currency))}
      </Button>
    </div>
  );
}
