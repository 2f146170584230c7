import type { Client } from '@comanda/client/core';
import type { CashCount, CashDrawer } from '@comanda/contracts/cash-drawers';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney, formatUntil } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { SelectField } from '../bills/select-field.tsx';
import { drawerName } from '../../cash/drawer-name.ts';
import { readCash } from '../../cash/read-cash.ts';
import { currencySign } from '../../currency-sign.ts';
import { CountRows } from './count-rows.tsx';
import { differenceOf, differenceText } from './difference.ts';
import { useKeyFor, useLeaveDraft } from './drafts.ts';
import { cashFailureWords } from './failure-words.ts';
import './last-count.css';
import { cashMessages } from './messages.ts';

type LastCountProps = {
  /** The counts of one day, newest first. */
  counts: readonly [CashCount, ...CashCount[]];
  currency: string;
  nowMs: number;
};

/** What the counts of a day have found together, and what should have been there at the last one. */
export function LastCount({ counts, currency, nowMs }: LastCountProps) {
  const words = cashMessages().count;
  const [{ at, by, expected, counted, difference, left }, ...earlier] = counts;
  const found = differenceOf(counts);
  const isOff = found !== null && found !== '0.00';
  return (
    <div class="stack gap-2 last-count" role="status">
      <p class="dim">{words.done(formatUntil(at, nowMs), by.name)}</p>
      <p class={classNames('row gap-2 last-count-result', isOff && 'last-count-off')}>
        <Icon name={isOff ? 'warning' : 'check'} /> {differenceText(found, currency)}
      </p>
      {difference !== found && <p class="dim">{words.together}</p>}
      <dl>
        {expected !== null && (
          <div>
            <dt>{words.expected}</dt>
            <dd>{formatMoney(expected, currency)}</dd>
          </div>
        )}
        <div>
          <dt>{words.found}</dt>
          <dd>{formatMoney(counted, currency)}</dd>
        </div>
        {difference !== null && difference === found && (
          <div>
            <dt>{words.difference}</dt>
            <dd>{formatMoney(difference, currency)}</dd>
          </div>
        )}
      </dl>
      {left !== counted && <p>{words.stays(formatMoney(left, currency))}</p>}
      {earlier.length > 0 && (
        <>
          <p class="dim">{words.earlier}</p>
          <CountRows counts={earlier} currency={currency} isOneDay />
        </>
      )}
    </div>
  );
}

type LeaveFormProps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  /** The last count, and what it has left in the cash drawer. */
  count: Pick<CashCount, 'id' | 'at' | 'left'>;
  drawer: Pick<CashDrawer, 'name' | 'label'>;
  /** The cash drawers that can get the rest. */
  others: readonly CashDrawer[];
  currency: string;
  onChanged: () => void;
};

/** Takes out what isn't needed until tomorrow. It is a second count: of what is in the cash drawer now. */
export function LeaveForm({ client, count, drawer, others, currency, onChanged }: LeaveFormProps) {
  const words = cashMessages().leave;
  const { left } = count;
  const { draft, set } = useLeaveDraft(drawer.name, count.id);
  const { left: typed, to } = draft;
  const [isInvalid, setIsInvalid] = useState(false);
  const { failure, run, isBusy } = useAction();
  const keyFor = useKeyFor(client.newKey);
  const read = readCash(typed);
  const stays = read === null || toMinor(read) > toMinor(left) ? null : read;
  const rest = stays === null ? null : fromMinor(toMinor(left) - toMinor(stays));
  const isOff = isBusy || typed.trim() === '' || rest === '0.00';
  function takeOut(): void {
    setIsInvalid(stays === null);
    if (stays === null || isOff) return;
    const { name } = drawer;
    void run(async () => {
      // A payment since the count, or another manager's count, would look like a difference. The page then shows what has changed.
      const now = (await client.calls.listCashDrawers()).find((each) => each.name === name);
      if (now?.moved || now?.counted_at !== count.at) {
        onChanged();
        return;
      }
      const input = { name, counted: left, left: stays, ...(to !== '' && { to }) };
      await client.calls.countCashDrawer(input, { idempotencyKey: keyFor(JSON.stringify(input)) });
      set(null);
      onChanged();
    });
  }
  return (
    <Form class="count-form leave-form" label={words.title} noValidate onSubmit={takeOut}>
      <h3 class="manager-subtitle">{words.title}</h3>
      <Field
        label={words.left(currencySign(currency))}
        hint={words.hint}
        error={isInvalid ? words.invalid(formatMoney(left, currency)) : undefined}
        inputMode="decimal"
        autocomplete="off"
        value={typed}
        onInput={(text) => {
          set({ ...draft, left: text });
          setIsInvalid(false);
        }}
      />
      {others.length > 0 && (
        <SelectField
          label={words.to}
          any={words.out}
          options={others.map((each) => ({ value: each.name, text: drawerName(each) }))}
          value={to}
          onInput={(name) => set({ ...draft, to: name })}
        />
      )}
      {to !== '' && <p class="dim">{words.countToo}</p>}
      {failure !== null && <ErrorPanel words={cashFailureWords(failure)} />}
      <Button type="submit" size="small" aria-disabled={isOff}>
        {rest === null || rest === '0.00' ? words.submit : words.submitWith(formatMoney(rest, currency))}
      </Button>
    </Form>
  );
}
