import type { Bill } from '@comanda/contracts/bills';
import { useState } from 'preact/hooks';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Ask } from '../ask.tsx';
import { billWords } from './messages.ts';
import type { NewDiscount, Paying } from './paying.ts';

type DiscountFormProps = {
  paying: Paying;
  bill: Bill;
  /** The line to discount; null for the whole bill. */
  lineId: number | null;
  onDone: () => void;
};
type Kind = 'percent' | 'amount';
type Typed = { kind: Kind; value: string; reason: string; label: string };

/** Returns the discount from the form; null while a field is missing or invalid. */
function read({ kind, value, reason, label }: Typed, lineId: number | null): NewDiscount | null {
  const number = readAmount(value);
  if (number === null || reason.trim() === '' || (kind === 'percent' && Number(number) > 100)) return null;
  return {
    ...(kind === 'percent' ? { percent: number } : { amount: number }),
    reason: reason.trim(),
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(lineId !== null && { line_id: lineId }),
  };
}

/** The form for a discount, with its reason, on one line or on the whole bill. */
export function DiscountForm({ paying, bill, lineId, onDone }: DiscountFormProps) {
  const words = billWords();
  const [typed, setTyped] = useState<Typed>({ kind: 'percent', value: '', reason: '', label: '' });
  // The idempotency key stays the same while the form is open, so that a retry after a lost response gives no second discount.
  const [key] = useState(paying.newKey);
  const [isTried, setIsTried] = useState(false);
  const { failure, isBusy, run } = useAction();
  const dish = bill.lines.find(({ id }) => id === lineId)?.name ?? null;
  const change = (part: Partial<Typed>): void => setTyped({ ...typed, ...part });
  const discount = read(typed, lineId);
  const submit = async (): Promise<void> => {
    setIsTried(true);
    if (discount && (await run(() => paying.discount(bill, { ...discount, key })))) onDone();
  };
  return (
    <Ask question={words.discountAsk(dish)}>
      <Form onSubmit={() => void submit()}>
        {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
        <div class="bill-kinds">
          {(['percent', 'amount'] as const).map((kind) => (
            <Chip key={kind} pressed={typed.kind === kind} onClick={() => change({ kind })}>
              {words[kind]}
            </Chip>
          ))}
        </div>
        <Field
          label={typed.kind === 'percent' ? words.percentField : words.amountField}
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
        <div class="waiter-ask-buttons">
          <Button onClick={onDone}>{words.cancel}</Button>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {words.discountYes}
          </Button>
        </div>
      </Form>
    </Ask>
  );
}
