import type { Bill } from '@comanda/contracts/bills';
import { openPiecesOf, previewPart } from '@comanda/contracts/bill-preview';
import { Fragment } from 'preact';
import { Chip } from '../chip.tsx';
import { formatMoney } from '../format.ts';
import { Icon } from '../icon.tsx';
import { OptionLines } from '../options/option-lines.tsx';
import { byGuest, isNobody } from './by-guest.ts';
import './choose-lines.css';
import { CountField } from './count-field.tsx';
import { billMessages } from './messages.ts';
import { allOpenOf, type LineChoice } from './part-choice.ts';
import { Money } from '../money.tsx';

type Chosen = ReadonlyMap<number, LineChoice>;
/** A line of the bill. `lang` is the language of the dish's name, if it isn't the page's language. */
type Line = Bill['lines'][number] & { lang?: string | undefined };
type ChooseLinesProps = {
  bill: Bill;
  /** Returns true for users whose dishes appear under "You". */ isOwn?: ((userId: number) => boolean) | undefined;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
};

/**
 * Lets the user select unpaid dishes, grouped by the guest who ordered them. The user can select a whole line of the bill, some
 * of its units, or some of several equal parts.
 */
export function ChooseLines({ bill, isOwn = isNobody, chosen, onChange }: ChooseLinesProps) {
  const isOpen = ({ id, amount, discount }: Line): boolean => amount !== discount && openPiecesOf(bill, id).count > 0;
  const guests = byGuest<Line>(bill.lines, isOwn);
  const set = (lineId: number, choice: LineChoice | null): void => {
    const next = new Map(chosen);
    if (choice === null) next.delete(lineId);
    else next.set(lineId, choice);
    onChange(next);
  };
  return (
    <div class="choose-lines">
      {guests.map(({ name, lines }) => {
        const open = lines.filter(isOpen);
        if (open.length === 0) return null;
        return (
          <Fragment key={lines[0]?.id}>
            {guests.length > 1 && <h3>{name}</h3>}
            <ul {...(guests.length > 1 && { 'aria-label': name })}>
              {open.map((line) => (
                <OpenLine
                  key={line.id}
                  bill={bill}
                  line={line}
                  choice={chosen.get(line.id) ?? null}
                  onChange={(choice) => set(line.id, choice)}
                />
              ))}
            </ul>
          </Fragment>
        );
      })}
    </div>
  );
}

type OpenLineProps = {
  bill: Bill;
  line: Line;
  choice: LineChoice | null;
  onChange: (choice: LineChoice | null) => void;
};

function OpenLine({ bill, line, choice, onChange }: OpenLineProps) {
  const words = billMessages();
  const { kind, count, of } = openPiecesOf(bill, line.id);
  const all = allOpenOf(bill, line.id);
  const asked = choice ?? all;
  const preview = asked && previewPart(bill, { lines: [{ line_id: line.id, ...asked }] });
  return (
    <li>
      <label class="row wrap choose-line">
        <input type="checkbox" checked={choice !== null} onChange={() => onChange(choice === null ? all : null)} />
        <span class="centre choose-line-box">
          <Icon name="check" size={20} />
        </span>
        <div class="choose-line-name">
          {line.quantity}&nbsp;<bdi lang={line.lang}>{line.name}</bdi>
          <OptionLines options={line.options} dishes={line.quantity} />
          {count < of && <small>{words.lineOpen(count, of)}</small>}
        </div>
        {preview?.kind === 'priced' && <Money>{formatMoney(preview.amount, bill.currency)}</Money>}
      </label>
      {choice && 'quantity' in choice && count > 1 && (
        <CountField
          label={words.howMany(line.name)}
          value={choice.quantity}
          min={1}
          max={count}
          onChange={(quantity) => onChange({ quantity })}
        />
      )}
      {choice && <Sharing line={line} choice={choice} isParted={kind === 'parts'} open={count} onChange={onChange} />}
    </li>
  );
}

type SharingProps = {
  line: Line;
  choice: LineChoice;
  /** True if a part of this line was already paid, so that the number of equal parts can no longer be changed. */
  isParted: boolean;
  open: number;
  onChange: (choice: LineChoice) => void;
};

/** Lets several people share a dish by splitting it into equal parts. The user pays one of them, or more once a part was paid. */
function Sharing({ line, choice, isParted, open, onChange }: SharingProps) {
  const words = billMessages();
  if ('quantity' in choice)
    return line.settled.count === 0 ? (
      <Chip pressed={false} onClick={() => onChange({ parts: 1, of: 2 })}>
        {words.shareLine}
      </Chip>
    ) : null;
  const { parts, of } = choice;
  return (
    <>
      {!isParted && (
        <CountField
          label={words.splitAmong(line.name)}
          value={of}
          min={2}
          max={20}
          onChange={(among) => onChange({ parts: 1, of: among })}
        />
      )}
      {isParted && open > 1 && (
        <CountField
          label={words.howMany(line.name)}
          value={parts}
          min={1}
          max={open}
          onChange={(count) => onChange({ parts: count, of })}
        />
      )}
      <p>{words.oneOf(parts, of)}</p>
      {!isParted && (
        <Chip pressed onClick={() => onChange({ quantity: line.quantity })}>
          {words.wholeLine}
        </Chip>
      )}
    </>
  );
}
