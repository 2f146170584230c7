import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { ignorePresses } from '@comanda/ui/use-settled.ts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { useGuest, useRouter } from '../contexts.ts';
import { AllergiesField } from './allergies-field.tsx';
import { BackLink } from '../back-link.tsx';
import { CallButton } from '../call/call-button.tsx';
import { ClashesText, ClashText } from './clash-text.tsx';
import { EmptyState } from '../empty-state.tsx';
import { EndedOrders } from './unsent-orders.tsx';
import './slip.css';
import type { InGuestLanguage } from '../in-guest-language.ts';
import { PausedNotice } from '../menu/paused-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { maxRemarks, type Line } from './basket.ts';
import { orderMessages } from './messages.ts';
import './review-page.css';

function TroubleText({ line }: { line: Line }) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const trouble = basket.troubleOf(line);
  const price = basket.priceOf(line);
  const money = (amount: string): string => formatMoney(amount, menu.currency.value);
  if (trouble)
    return (
      <p class="line-trouble">
        {trouble.kind === 'too_many'
          ? words.lineTooMany(trouble.left)
          : trouble.kind === 'gone'
            ? words.lineGone
            : words.lineSoldOut}
      </p>
    );
  if (toMinor(price) === toMinor(line.seenPrice)) return null;
  return (
    <p class="remark" role="status">
      {words.priceChanged(money(line.seenPrice), money(price))}
    </p>
  );
}

function RemarkDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const words = orderMessages();
  const { setRemarks } = useGuest().basket;
  const [remarks, setText] = useState(line.remarks);
  const save = (): void => {
    setRemarks(line, remarks.trim());
    onClose();
  };
  return (
    <Dialog
      title={words.remarkFor(line.name)}
      isOpen
      onClose={onClose}
      footer={
        <Button kind="primary" size="large" onClick={save}>
          {words.done}
        </Button>
      }
    >
      <Field
        label={words.remarks}
        value={remarks}
        onInput={setText}
        maxLength={maxRemarks}
        rows={3}
        placeholder={words.remarksExample}
      />
    </Dialog>
  );
}

/** Moves the focus before this button's line is removed: to the next line, else to the previous one, else to the heading. */
function focusBeside(button: HTMLElement): void {
  const line = button.closest('li');
  const beside = line?.nextElementSibling ?? line?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>('.line-stepper button') ?? document.querySelector('h1');
  next?.focus();
}

function LineTools({ line, mayAdd }: { line: InGuestLanguage<Line>; mayAdd: boolean }) {
  const words = orderMessages();
  const { announce, basket } = useGuest();
  const [isWriting, setIsWriting] = useState(false);
  const isLast = line.quantity === 1;
  return (
    <>
      <div class="line-tools">
        <Button
          kind="quiet"
          size="small"
          icon={<LateIcon name="pencil" size={20} />}
          onClick={() => setIsWriting(true)}
        >
          {line.remarks === '' ? words.addRemark : words.changeRemark}
          <span class="spoken" lang={line.lang}>
            , {line.name}
          </span>
        </Button>
        <div class="line-stepper">
          <IconButton
            label={isLast ? words.remove(line.name) : words.less(line.name)}
            onClick={({ currentTarget }) => {
              if (isLast) focusBeside(currentTarget);
              basket.setQuantity(line, line.quantity - 1);
            }}
          >
            <Icon name={isLast ? 'trash' : 'minus'} />
          </IconButton>
          <output aria-label={line.name}>{line.quantity}</output>
          <IconButton
            label={words.more(line.name)}
            aria-disabled={!mayAdd}
            onClick={() => basket.setQuantity(line, line.quantity + 1)}
            onRefused={() => announce(words.noMore(line.name))}
          >
            <Icon name="plus" />
          </IconButton>
        </div>
      </div>
      {isWriting && <RemarkDialog line={line} onClose={() => setIsWriting(false)} />}
    </>
  );
}

function BasketLine({ line }: { line: InGuestLanguage<Line> }) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const dish = menu.dishById.value.get(line.dishId);
  const cost = fromMinor(toMinor(basket.priceOf(line)) * BigInt(line.quantity));
  return (
    <li class="line">
      <div class="line-image">
        <DishPicture url={dish?.image_url ?? null} tile={(dish?.position ?? 0) + 1} />
      </div>
      <div class="line-text">
        <p class="line-name">
          <span lang={line.lang}>{line.name}</span>
          <span class="money" translate={false}>
            {formatMoney(cost, menu.currency.value)}
          </span>
        </p>
        {line.remarks !== '' && <p class="remark">{line.remarks}</p>}
        <ClashText dish={dish} />
        {dish && menu.isUnstated(dish) && <p class="tag tag-few">{words.unstated}</p>}
        <TroubleText line={line} />
      </div>
      <LineTools line={line} mayAdd={dish !== undefined && basket.canAdd(dish, 1)} />
    </li>
  );
}

function Sums() {
  const words = orderMessages();
  const { basket, menu, orders, seat } = useGuest();
  const money = (amount: string): string => formatMoney(amount, menu.currency.value);
  const { total } = orders;
  const isSeated = seat.isSeated.value;
  const after = fromMinor(toMinor(basket.sum.value) + toMinor(total.value));
  return (
    <>
      <p class="slip-sum">
        <span>{words.thisOrder}</span>
        <span class="money" translate={false}>
          {money(basket.sum.value)}
        </span>
      </p>
      {orders.all.value.length > 0 && (
        <>
          <p class="slip-sum slip-sum-small">
            <span>{isSeated ? words.orderedBefore : words.orderedBeforeOwn}</span>
            <span class="money" translate={false}>
              {money(total.value)}
            </span>
          </p>
          <p class="slip-sum slip-sum-small">
            <span>{isSeated ? words.totalAfter : words.totalAfterOwn}</span>
            <span class="money" translate={false}>
              {money(after)}
            </span>
          </p>
        </>
      )}
    </>
  );
}

function SendDock() {
  const words = orderMessages();
  const { announce, basket, menu, seat, sending } = useGuest();
  const { replace } = useRouter();
  const isSending = sending.outgoing.value !== null;
  const { isPaused } = menu.ordering;
  const hasTrouble = basket.hasTrouble.value;
  const isAtTable = seat.table.value !== null;
  const why = isPaused.value ? words.pausedHint : !isAtTable ? words.scanFirst : hasTrouble ? words.fixFirst : null;
  const send = (): void => {
    sending.send();
    ignorePresses();
    replace({ page: 'orders' });
  };
  return (
    <footer class="dock">
      {hasTrouble && !isSending && <Button onClick={basket.takeOutTroubled}>{words.takeOut}</Button>}
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
  const { basket, seat, sending } = useGuest();
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
        <div class="review-notices">
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
