import { Button } from '@comanda/ui/button.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { ignorePresses } from '@comanda/ui/use-settled.ts';
import { Money } from '@comanda/ui/money.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { useGuest, useOrderSession, useRouter } from '../contexts.ts';
import { AllergiesField } from './allergies-field.tsx';
import { BackLink } from '../back-link.tsx';
import { CallButton } from '../call/call-button.tsx';
import { BasketLine } from './basket-line.tsx';
import { ClashesText } from './clash-text.tsx';
import { EmptyState } from '../empty-state.tsx';
import { EndedOrders } from './unsent-orders.tsx';
import './slip.css';
import type { InGuestLanguage } from '../in-guest-language.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import type { Line } from './basket.ts';
import { orderMessages } from './messages.ts';
import './review-page.css';

function Sums() {
  const words = orderMessages();
  const { basket, menu, seat } = useGuest();
  const { orders } = useOrderSession();
  const money = (amount: string): string => formatMoney(amount, menu.currency.value);
  const { total } = orders;
  const isSeated = seat.isSeated.value;
  const after = fromMinor(toMinor(basket.sum.value) + toMinor(total.value));
  return (
    <>
      <p class="slip-sum">
        <span>{words.thisOrder}</span>
        <Money>{money(basket.sum.value)}</Money>
      </p>
      {orders.all.value.length > 0 && (
        <>
          <p class="slip-sum slip-sum-small">
            <span>{isSeated ? words.orderedBefore : words.orderedBeforeOwn}</span>
            <Money>{money(total.value)}</Money>
          </p>
          <p class="slip-sum slip-sum-small">
            <span>{isSeated ? words.totalAfter : words.totalAfterOwn}</span>
            <Money>{money(after)}</Money>
          </p>
        </>
      )}
    </>
  );
}

function SendDock() {
  const words = orderMessages();
  const { announce, basket, menu, seat } = useGuest();
  const { sending } = useOrderSession();
  const { replace } = useRouter();
  const isSending = sending.outgoing.value !== null;
  const { isPaused } = menu.ordering;
  const trouble = basket.trouble.value;
  const isAtTable = seat.table.value !== null;
  const whyNot = { dishes: words.fixFirst, options: words.fixOptions };
  const why = isPaused.value ? words.pausedHint : !isAtTable ? words.scanFirst : trouble && whyNot[trouble];
  const send = (): void => {
    sending.send();
    ignorePresses();
    replace({ page: 'orders' });
  };
  return (
    <footer class="dock">
      {trouble === 'dishes' && !isSending && <Button onClick={basket.takeOutTroubled}>{words.takeOut}</Button>}
      {!isSending && <ClashesText />}
      <Button
        kind="primary"
        size="large"
        aria-disabled={why !== null || isSending}
        onClick={send}
        onRefused={() => why !== null && announce(why)}
      >
        {isSending ? words.sending : words.send}
      </Button>
    </footer>
  );
}

/** The lines in the basket, which can still be changed. */
function EditableOrder({ lines }: { lines: readonly InGuestLanguage<Line>[] }) {
  return (
    <>
      <div class="slip-box">
        <div class="slip">
          <ul>
            {lines.map((line) => (
              <BasketLine key={line.id} line={line} />
            ))}
          </ul>
          <Sums />
        </div>
      </div>
      <div class="review-allergies">
        <AllergiesField />
      </div>
      <p class="review-hint">{orderMessages().cancelHint}</p>
    </>
  );
}

/** The page on which guests check an order before they send it: the table, the dishes and the price. */
export function ReviewPage() {
  const words = orderMessages();
  const { basket, seat } = useGuest();
  const { sending } = useOrderSession();
  const { backToMenu } = useRouter();
  const table = seat.table.value;
  const lines = basket.lines.value;
  const isEmpty = lines.length === 0;
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
        <CallButton />
      </header>
      <main class="page-main review">
        <div class="page-title">
          {table !== null && <p>{words.yourOrderFor}</p>}
          <h1 tabIndex={-1}>{table === null ? words.yourOrder : words.table(table)}</h1>
        </div>
        <div class="stack gap-3 review-notices">
          {!sending.isRefused.value && table === null && <SeatNotice />}
          <EndedOrders />
          <PausedNotice />
        </div>
        {isEmpty && (
          <EmptyState drawing={<EmptyPlateDrawing />} title={words.emptyBasket} hint={words.emptyBasketHint}>
            <Button onClick={backToMenu}>{words.toMenu}</Button>
          </EmptyState>
        )}
        {!isEmpty && <EditableOrder lines={lines} />}
      </main>
      {!isEmpty && <SendDock />}
    </div>
  );
}
