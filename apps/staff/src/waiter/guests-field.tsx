import type { Bill } from '@comanda/contracts/bills';
import { maxCovers } from '@comanda/contracts/rules';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import './guests-field.css';
import { lineMessages } from './line-messages.ts';
import type { WaiterSession } from './waiter-session.ts';

type GuestsFieldProps = {
  session: WaiterSession;
  bill: Bill;
  /** The number of guests who have ordered with their phones. The first tap on plus enters it. */
  ordered: number;
};

/** The number of guests on a bill. */
export function GuestsField({ session: { covers: all }, bill, ordered }: GuestsFieldProps) {
  const words = lineMessages();
  const { covers, failure } = all.of(bill);
  const set = (next: number): void => {
    const first = covers === null && next === 1 ? Math.max(1, ordered) : next;
    all.set(bill, first === 0 ? null : first);
  };
  return (
    <>
      <div class="row wrap waiter-guests">
        <span aria-hidden="true">{words.guests}</span>
        <Stepper
          value={covers ?? 0}
          min={0}
          max={maxCovers}
          of={words.guests}
          {...(covers === null && { shown: '–' })}
          onChange={set}
        />
      </div>
      {failure !== null && (
        <>
          <ErrorPanel words={billFailureWords(failure)} />
          <Button size="small" onClick={() => all.set(bill, covers)}>
            {words.retry}
          </Button>
        </>
      )}
    </>
  );
}
