import type { Bill } from '@comanda/contracts/bills';
import { previewPart, type PartPreview } from '@comanda/contracts/bill-preview';
import { Field } from '../field.tsx';
import { formatMoney } from '../format.ts';
import { ChooseLines } from './choose-lines.tsx';
import './choose-part.css';
import { CountField } from './count-field.tsx';
import { billMessages } from './messages.ts';
import { allOpenOf, maxShares, previewOf, type PartChoice } from './part-choice.ts';

type ChoosePartProps = {
  bill: Bill;
  isOwn?: (userId: number) => boolean;
  choice: PartChoice;
  amountLabel: string;
  onChange: (choice: PartChoice) => void;
};

/** Asks for the details of a way of splitting the bill: the number of shares, the dishes, or the amount. */
export function ChoosePart({ bill, isOwn, choice, amountLabel, onChange }: ChoosePartProps) {
  if (choice.way === 'rest') return null;
  const isRefused = choice.way === 'lines' && isSplitOtherwise(bill);
  return (
    <div class="stack gap-3">
      {choice.way === 'shares' && <Shares bill={bill} choice={choice} onChange={onChange} />}
      {choice.way === 'lines' && !isRefused && (
        <ChooseLines
          bill={bill}
          isOwn={isOwn}
          chosen={choice.lines}
          onChange={(lines) => onChange({ way: 'lines', lines })}
        />
      )}
      {choice.way === 'amount' && (
        <Field
          label={amountLabel}
          value={choice.typed}
          inputMode="decimal"
          onInput={(typed) => onChange({ way: 'amount', typed })}
        />
      )}
      {isRefused ? <RefusalText kind="bill_split_conflict" bill={bill} /> : <Refusal bill={bill} choice={choice} />}
    </div>
  );
}

/**
 * Returns true if shares or amounts were already paid, so that dishes can no longer be paid separately. The page then says so
 * before the user selects a dish.
 */
function isSplitOtherwise(bill: Bill): boolean {
  const open = bill.lines.flatMap(({ id }) => {
    const all = allOpenOf(bill, id);
    return all ? [{ line_id: id, ...all }] : [];
  });
  const isRefused = (line: (typeof open)[number]): boolean =>
    previewPart(bill, { lines: [line] }).kind === 'bill_split_conflict';
  return open.length > 0 && open.every(isRefused);
}

type SharesProps = {
  bill: Bill;
  choice: Extract<PartChoice, { way: 'shares' }>;
  onChange: (choice: PartChoice) => void;
};

function Shares({ bill, choice, onChange }: SharesProps) {
  const words = billMessages();
  const { shares, of } = choice;
  const { shares_of: fixed, shares_taken: taken } = bill.split;
  const isFixed = fixed !== null && taken < fixed;
  const open = isFixed ? fixed - taken : of;
  const share = previewPart(bill, { shares: 1, of });
  return (
    <>
      {isFixed ? (
        <p>{words.sharesTaken(taken, fixed)}</p>
      ) : (
        <CountField
          label={words.people}
          value={of}
          min={1}
          max={maxShares}
          onChange={(people) => onChange({ way: 'shares', of: people, shares: Math.min(shares, people) })}
        />
      )}
      {share.kind === 'priced' && (
        <p class="choose-share">{words.yourShare(formatMoney(share.amount, bill.currency))}</p>
      )}
      {open > 1 && (
        <CountField
          label={words.shares}
          value={shares}
          min={1}
          max={open}
          onChange={(count) => onChange({ way: 'shares', of, shares: count })}
        />
      )}
    </>
  );
}

/** Shows the reason if this part of the bill can't be paid. */
function Refusal({ bill, choice }: { bill: Bill; choice: PartChoice }) {
  const preview = previewOf(bill, choice);
  return preview === null || preview.kind === 'priced' ? null : <RefusalText kind={preview.kind} bill={bill} />;
}

function RefusalText({ kind, bill }: { kind: Exclude<PartPreview['kind'], 'priced'>; bill: Bill }) {
  const words = billMessages().refusals;
  return (
    <p class="edge on-amber-soft choose-refusal" role="alert">
      {kind === 'amount_exceeds_remaining'
        ? words.amount_exceeds_remaining(formatMoney(bill.remaining, bill.currency))
        : words[kind]}
    </p>
  );
}
