import type { Bill } from '@comanda/contracts/bills';
import { useEffect, useRef, useState } from 'preact/hooks';
import '@comanda/ui/ask.css';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import '@comanda/ui/bill/choose-lines.css';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Money } from '@comanda/ui/money.tsx';
import { billWords } from './messages.ts';
import type { NewDiscount, Paying } from './paying.ts';

type DiscountFormProps = { paying: Paying; bill: Bill; onDone: () => void };
type Kind = 'percent' | 'amount';
type Typed = { kind: Kind; value: string; reason: string; label: string };

/** Returns the discount from the form; null while a field is missing or invalid. */
function read({ kind, value, reason, label }: Typed): NewDiscount | null {
  const number = readAmount(value);
  if (number === null || reason.trim() === '' || (kind === 'percent' && Number(number) > 100)) return null;
  return {
    ...(kind === 'percent' ? { percent: number } : { amount: number }),
    reason: reason.trim(),
    ...(label.trim() !== '' && { label: label.trim() }),
  };
}

/** The form for a discount, with its reason, on the ticked dishes or on the whole bill. */
export function DiscountForm({ paying, bill, onDone }: DiscountFormProps) {
  const words = billWords();
  const [typed, setTyped] = useState<Typed>({ kind: 'percent', value: '', reason: '', label: '' });
  const [lineIds, setLineIds] = useState<readonly number[]>([]);
  const keyOf = useKeys(paying);
  const [isTried, setIsTried] = useState(false);
  const { failure, isBusy, run } = useAction();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  const change = (part: Partial<Typed>): void => setTyped({ ...typed, ...part });
  const toggle = (id: number): void =>
    setLineIds(lineIds.includes(id) ? lineIds.filter((each) => each !== id) : [...lineIds, id]);
  const discount = read(typed);
  const give = async (given: NewDiscount): Promise<void> => {
    if (lineIds.length === 0) return paying.discount(bill, { ...given, key: keyOf(null) });
    for (const lineId of lineIds) await paying.discount(bill, { ...given, line_id: lineId, key: keyOf(lineId) });
    return undefined;
  };
  const submit = async (): Promise<void> => {
    setIsTried(true);
    if (discount && (await run(() => give(discount)))) onDone();
  };
  return (
    <div ref={place}>
      <Form class="stack gap-3 ask" label={billMessages().discount} onSubmit={() => void submit()}>
        <h2 class="ask-question">{billMessages().discount}</h2>
        {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
        <Lines bill={bill} chosen={lineIds} onToggle={toggle} />
        <div class="wrap gap-2">
          {(['percent', 'amount'] as const).map((kind) => (
            <Chip key={kind} pressed={typed.kind === kind} onClick={() => change({ kind })}>
              {words[kind]}
            </Chip>
          ))}
        </div>
        <Field
          label={typed.kind === 'percent' ? words.percentField : words.amountField(lineIds.length)}
          value={typed.value}
          inputMode="decimal"
          error={isTried && !discount && typed.reason !== '' ? billMessages().amountInvalid : undefined}
          onInput={(value) => change({ value })}
        />
        <Field
          label={words.discountReason}
          value={typed.reason}
          maxLength={200}
          placeholder={words.discountReasonExample}
          required
          onInput={(reason) => change({ reason })}
        />
        <Field label={words.label} value={typed.label} maxLength={60} onInput={(label) => change({ label })} />
        <div class="wrap gap-3 ask-buttons">
          <Button onClick={onDone}>{words.cancel}</Button>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {words.discountYes}
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** Lists the dishes without a payment, each with a box to tick. */
function Lines({ bill, chosen, onToggle }: { bill: Bill; chosen: readonly number[]; onToggle: (id: number) => void }) {
  const open = bill.lines.filter(({ status, settled }) => status !== 'cancelled' && settled.count === 0);
  return (
    <div class="choose-lines" role="group" aria-label={billWords().discountLines}>
      <p>{billWords().discountLines}</p>
      <ul>
        {open.map(({ id, name, quantity, amount }) => (
          <li key={id}>
            <label class="row wrap choose-line">
              <input type="checkbox" checked={chosen.includes(id)} onChange={() => onToggle(id)} />
              <span class="centre choose-line-box">
                <Icon name="check" size={20} />
              </span>
              <span class="choose-line-name">
                {quantity}&nbsp;<bdi>{name}</bdi>
              </span>
              <Money>{formatMoney(amount, bill.currency)}</Money>
            </label>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Returns a function that returns a line's idempotency key. The key stays the same while the form is open, so that a retry after a
 * lost response gives no second discount.
 */
function useKeys({ newKey }: Paying): (lineId: number | null) => string {
  const [keys] = useState(() => new Map<number | null, string>());
  return (lineId) => {
    const key = keys.get(lineId) ?? newKey();
    keys.set(lineId, key);
    return key;
  };
}
