import type { Client, Input } from '@comanda/client/core';
import type { CashDrawer, KindByHand } from '@comanda/contracts/cash-drawers';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { SelectField } from '../bills/select-field.tsx';
import { ChipChoice } from '../chip-choice.tsx';
import { currencySign } from '../../currency-sign.ts';
import { Panel } from '../panel.tsx';
import '../../cash/count-form.css';
import { useMovementDraft, type MovementDraft } from './drafts.ts';
import { drawerName } from '../../cash/drawer-name.ts';
import { cashFailureWords } from './failure-words.ts';
import { cashMessages } from './messages.ts';

/** In the order of an evening. The contract's module would add a validation library. */
const kinds = ['pay_out', 'drop', 'float', 'pay_in', 'tip_out'] as const satisfies readonly KindByHand[];

type EnterCashProps = {
  client: Pick<Client, 'calls' | 'newKey' | 'who'>;
  drawer: CashDrawer;
  drawers: readonly CashDrawer[];
  currency: string;
  onChanged: () => void;
};

/** The form for cash that no bill explains: it says what happened, how much, and why. */
export function EnterCash({ client, drawer, drawers, currency, onChanged }: EnterCashProps) {
  const words = cashMessages().enter;
  const { draft: typed, set } = useMovementDraft(client.who()?.userId ?? 0, drawer.name);
  const [wrong, setWrong] = useState<readonly ('amount' | 'reason')[]>([]);
  const [saved, setSaved] = useState('');
  const { failure, run, isBusy } = useAction();
  const { kind } = typed;
  const amount = readAmount(typed.amount);
  const reason = typed.reason.trim();
  const others = drawers.filter(({ name, status }) => name !== drawer.name && status === 'active');
  const hasOther = (kind === 'float' || kind === 'drop') && others.length > 0;
  const change = (part: Partial<MovementDraft>): void => {
    set({ ...typed, ...part, key: '' });
    setWrong([]);
    setSaved('');
  };
  function save(): void {
    setWrong([...(amount === null ? (['amount'] as const) : []), ...(reason === '' ? (['reason'] as const) : [])]);
    if (amount === null || reason === '') return;
    const other = hasOther && typed.other !== '' ? { other: typed.other } : {};
    const input: Input<'addMovement'> = { name: drawer.name, kind, amount, reason, ...other };
    // The same movement keeps its key, so that pressing the button again after a failure can't enter it twice.
    const key = typed.key === '' ? client.newKey() : typed.key;
    set({ ...typed, key });
    void run(async () => {
      await client.calls.addMovement(input, { idempotencyKey: key });
      set({ kind, amount: '', reason: '', other: '', key: '' });
      setSaved(words.saved(words.kinds[kind], formatMoney(amount, currency)));
      onChanged();
    });
  }
  return (
    <Panel title={words.title}>
      <Form class="count-form" label={words.title} noValidate onSubmit={save}>
        <ChipChoice
          legend={words.kind}
          choices={kinds}
          chosen={kind}
          nameOf={(each) => words.kinds[each]}
          onChoose={(each) => change({ kind: each, other: '' })}
        />
        <p class="dim">{words.hints[kind]}</p>
        <Field
          label={words.amount(currencySign(currency))}
          error={wrong.includes('amount') ? words.invalid : undefined}
          inputMode="decimal"
          autocomplete="off"
          value={typed.amount}
          onInput={(text) => change({ amount: text })}
        />
        {hasOther && (
          <SelectField
            label={kind === 'float' ? words.from : words.to}
            any={words.outside}
            options={others.map((each) => ({ value: each.name, text: drawerName(each) }))}
            value={typed.other}
            onInput={(other) => change({ other })}
          />
        )}
        <Field
          label={words.reason}
          error={wrong.includes('reason') ? words.noReason : undefined}
          maxLength={200}
          autocomplete="off"
          value={typed.reason}
          onInput={(text) => change({ reason: text })}
        />
        {failure !== null && <ErrorPanel words={cashFailureWords(failure)} />}
        <p role="status" class="manager-notice">
          {saved}
        </p>
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {amount === null ? words.submit : words.submitWith(words.kinds[kind], formatMoney(amount, currency))}
        </Button>
      </Form>
    </Panel>
  );
}
