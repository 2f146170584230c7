import type { Client } from '@comanda/client/core';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { useEffect, useRef } from 'preact/hooks';
import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney, formatTyped } from '@comanda/ui/format.ts';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { ChooseDrawer } from '../../cash/choose-drawer.tsx';
import { billWords } from './messages.ts';
import { notesFor } from './notes-for.ts';

/** Returns the typed amount as in the API, such as `50.00`; null if the text isn't an amount. */
export const readReceived = (typed: string): string | null => readAmount(typed);

type CashProps = { client: Client; total: string; currency: string; typed: string; onTyped: (typed: string) => void };

/** Asks how much cash the guest has handed over, and shows the change. The amount is typed, or selected as a banknote. */
export function Cash({ client, total, currency, typed, onTyped }: CashProps) {
  const words = billWords().pay;
  const received = readReceived(typed);
  const change = received === null ? null : toMinor(received) - toMinor(total);
  const section = useRef<HTMLElement>(null);
  // The waiter has just selected cash, so the field for the received amount is scrolled into view.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), []);
  const isUnreadable = typed.trim() !== '' && received === null;
  return (
    <section ref={section} class="waiter-panel pay-cash" aria-label={words.received}>
      <Field
        label={words.received}
        value={typed}
        inputMode="decimal"
        error={isUnreadable ? billMessages().amountInvalid : undefined}
        onInput={onTyped}
      />
      <div class="wrap gap-2 pay-notes">
        <Chip pressed={received === total} onClick={() => onTyped(formatTyped(total))}>
          {words.exact}
        </Chip>
        {notesFor(toMinor(total)).map((note) => {
          const amount = fromMinor(note);
          return (
            <Chip key={amount} pressed={received === amount} onClick={() => onTyped(formatTyped(amount))}>
              {formatMoney(amount, currency)}
            </Chip>
          );
        })}
      </div>
      {change !== null && change < 0n && (
        <p class="edge on-amber-soft choose-refusal" role="alert">
          {words.missing(formatMoney(fromMinor(-change), currency))}
        </p>
      )}
      <p class="wrap pay-change">
        {words.change}{' '}
        <output role="status" aria-label={words.change}>
          {change === null || change < 0n ? '–' : formatMoney(fromMinor(change), currency)}
        </output>
      </p>
      <ChooseDrawer client={client} is="to" />
    </section>
  );
}
