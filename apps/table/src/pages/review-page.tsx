import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { messages } from '../messages.ts';
import { AllergiesField } from '../parts/allergies-field.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { ClashesText, ClashText } from '../parts/clash-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PausedNotice, SeatNotice, StoppedNotice } from '../parts/notices.tsx';
import { OrderSlip } from '../parts/order-slip.tsx';
import '../parts/slip.css';
import { announce } from '../state/announce.ts';
import {
  basket,
  canAdd,
  clashing,
  currency,
  hasTrouble,
  maxRemarks,
  priceOf,
  setQuantity,
  setRemarks,
  sum,
  takeOutTroubled,
  troubleOf,
} from '../state/basket.ts';
import type { Line } from '../state/basket.ts';
import { dishById, isPaused, isUnstated } from '../state/menu.ts';
import { orders, total } from '../state/orders.ts';
import { backToMenu } from '../state/route.ts';
import { isGuest, table } from '../state/seat.ts';
import { outgoing, refusal, sendBasket } from '../state/sending.ts';
import './review-page.css';

function TroubleText({ line }: { line: Line }) {
  const words = messages();
  const trouble = troubleOf(line);
  const price = priceOf(line);
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
      {words.priceChanged(formatMoney(line.seenPrice, currency.value), formatMoney(price, currency.value))}
    </p>
  );
}

function RemarkDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const words = messages();
  const [remarks, setText] = useState(line.remarks);
  const keep = (): void => {
    setRemarks(line, remarks.trim());
    onClose();
  };
  return (
    <Dialog
      title={words.remarkFor(line.name)}
      isOpen
      onClose={onClose}
      footer={
        <Button kind="primary" size="large" onClick={keep}>
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

function BasketLine({ line }: { line: Line }) {
  const words = messages();
  const [isWriting, setIsWriting] = useState(false);
  const dish = dishById.value.get(line.dishId);
  const mayAdd = dish !== undefined && canAdd(dish, 1);
  return (
    <li class="line">
      <div class="line-image">
        <DishPicture url={dish?.image_url ?? null} tile={(dish?.position ?? 0) + 1} />
      </div>
      <div class="line-text">
        <p class="line-name">
          <span>{line.name}</span>
          <span class="money">{formatMoney(fromMinor(toMinor(priceOf(line)) * line.quantity), currency.value)}</span>
        </p>
        {line.remarks !== '' && <p class="remark">{line.remarks}</p>}
        <ClashText dish={dish} />
        {dish && isUnstated(dish) && <p class="tag tag-few">{words.unstated}</p>}
        <TroubleText line={line} />
      </div>
      <div class="line-tools">
        <Button kind="quiet" size="small" icon={<Icon name="pencil" size={20} />} onClick={() => setIsWriting(true)}>
          {line.remarks === '' ? words.addRemark : words.changeRemark}
          <span class="spoken">, {line.name}</span>
        </Button>
        <div class="line-stepper">
          <IconButton
            label={line.quantity === 1 ? words.remove(line.name) : words.less(line.name)}
            onClick={() => setQuantity(line, line.quantity - 1)}
          >
            <Icon name={line.quantity === 1 ? 'trash' : 'minus'} />
          </IconButton>
          <output>{line.quantity}</output>
          <IconButton
            label={words.more(line.name)}
            aria-disabled={!mayAdd}
            onClick={() => (mayAdd ? setQuantity(line, line.quantity + 1) : announce(words.noMore(line.name)))}
          >
            <Icon name="plus" />
          </IconButton>
        </div>
      </div>
      {isWriting && <RemarkDialog line={line} onClose={() => setIsWriting(false)} />}
    </li>
  );
}

function Sums() {
  const words = messages();
  const money = (amount: string): string => formatMoney(amount, currency.value);
  const after = fromMinor(toMinor(sum.value) + toMinor(total.value));
  return (
    <>
      <p class="slip-sum">
        <span>{words.thisOrder}</span>
        <span class="money">{money(sum.value)}</span>
      </p>
      {orders.value.length > 0 && (
        <>
          <p class="slip-sum slip-sum-small">
            <span>{isGuest.value ? words.orderedBefore : words.orderedBeforeOwn}</span>
            <span class="money">{money(total.value)}</span>
          </p>
          <p class="slip-sum slip-sum-small">
            <span>{isGuest.value ? words.totalAfter : words.totalAfterOwn}</span>
            <span class="money">{money(after)}</span>
          </p>
        </>
      )}
    </>
  );
}

function SendDock() {
  const words = messages();
  const isSending = outgoing.value !== null;
  const mayNot = hasTrouble.value || isPaused.value || table.value === null;
  const send = (): void => {
    if (isPaused.value) return announce(words.pausedHint);
    if (table.value === null) return announce(words.scanFirst);
    if (hasTrouble.value) return announce(words.fixFirst);
    sendBasket();
  };
  return (
    <footer class="dock">
      {hasTrouble.value && !isSending && <Button onClick={takeOutTroubled}>{words.takeOut}</Button>}
      {!isSending && <ClashesText dishes={clashing.value} />}
      <Button kind="primary" size="large" aria-disabled={mayNot || isSending} onClick={send}>
        {isSending ? words.sending : words.send}
      </Button>
    </footer>
  );
}

/** The order before it is sent: for which table, what, and what it costs. */
export function ReviewPage() {
  const words = messages();
  const { lines } = basket.value;
  const isSending = outgoing.value !== null;
  const isEmpty = lines.length === 0 && !isSending;
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main review">
        <div class="page-title">
          {table.value !== null && <p>{words.yourOrderFor}</p>}
          <h1 tabIndex={-1}>{table.value === null ? words.yourOrder : words.table(table.value)}</h1>
        </div>
        <div class="review-notices">
          {refusal.value && <ErrorPanel words={refusal.value} />}
          {!refusal.value && table.value === null && <SeatNotice />}
          <StoppedNotice />
          <PausedNotice />
        </div>
        {isEmpty && (
          <EmptyState drawing={<EmptyPlateDrawing />} title={words.emptyBasket} hint={words.emptyBasketHint}>
            <Button onClick={backToMenu}>{words.toMenu}</Button>
          </EmptyState>
        )}
        {outgoing.value && (
          <div class="slip-box">
            <OrderSlip lines={outgoing.value.lines} sum={outgoing.value.sum} />
          </div>
        )}
        {lines.length > 0 && !isSending && (
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
            <p class="review-hint">{words.cancelHint}</p>
          </>
        )}
      </main>
      {!isEmpty && <SendDock />}
    </div>
  );
}
