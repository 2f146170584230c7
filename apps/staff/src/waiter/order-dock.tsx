import { isSameName } from '@comanda/contracts/text-key';
import { defaultCurrency } from '@comanda/contracts/rules';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { optionText } from '@comanda/ui/options/option-text.ts';
import { countOf, totalOf, type DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import './order-dock.css';
import { needsReview, otherDraftTable, sendDraft } from './send-draft.ts';
import { shortMoney } from './short-money.ts';
import type { WaiterSession } from './waiter-session.ts';
import { weightText } from './weight.ts';

type OrderDockProps = {
  session: WaiterSession;
  /** The table in the address; null while the waiter selects one. */
  table: string | null;
  isReview: boolean;
};

/** The order's sum with the button that sends it, always in view above the tabs. */
export function OrderDock({ session, table: named, isReview }: OrderDockProps) {
  const words = waiterMessages().order;
  const { table, lines } = session.draft.draft.value;
  // The page asks what to do with a draft for other guests.
  if (lines.length === 0 || table === null || named === null || !isSameName(table, named)) return null;
  if (otherDraftTable(session, table) !== null) return null;
  const last = lines.at(-1);
  const sum = words.sum(countOf(lines), shortMoney(totalOf(lines), lines[0]?.currency ?? defaultCurrency));
  const review = `#/waiter/order/${table}/review`;
  return (
    <div class="row wrap waiter-dock">
      {isReview ? (
        <p>{sum}</p>
      ) : (
        <a href={review}>
          <span>
            <span class="visually-hidden">{words.review} · </span>
            {sum}
            {last && (last.options.length > 0 || last.measure !== null) && <small>{textOf(last)}</small>}
          </span>
          <Icon name="chevron" size={20} />
        </a>
      )}
      {!isReview && needsReview(session, table) ? (
        <a class="button button-primary button-medium" href={review}>
          <span class="button-text">{words.review}</span>
        </a>
      ) : (
        <Button kind="primary" aria-label={words.send} onClick={() => sendDraft(session, table)}>
          {words.sendShort}
        </Button>
      )}
    </div>
  );
}

/** The line that was added last, with what was chosen. */
const textOf = ({ name, quantity, options, measure, price, currency }: DraftLine): string =>
  [
    name,
    measure !== null && weightText(measure),
    ...options.map((each) => optionText(each, quantity)),
    shortMoney(price, currency),
  ]
    .filter((part) => part !== false)
    .join(' · ');
