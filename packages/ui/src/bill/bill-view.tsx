import { rateOf } from '@comanda/contracts/bill-amounts';
import type { Bill } from '@comanda/contracts/bills';
import type { ComponentChildren } from 'preact';
import { classNames } from '../class-names.ts';
import { formatMoney, formatRate } from '../format.ts';
import { Icon } from '../icon.tsx';
import { measureText } from '../measure-text.ts';
import { OptionLines } from '../options/option-lines.tsx';
import './bill-view.css';
import { byGuest, isNobody } from './by-guest.ts';
import { discountLabel } from './discount-label.ts';
import { activeStatuses, isBeingPaid } from './line-state.ts';
import { billMessages } from './messages.ts';
import { paidBy } from './paid-by.ts';
import { Money } from '../money.tsx';

/** A line of the bill. `lang` is the language of the dish's name, if it isn't the page's language. */
type Line = Bill['lines'][number] & { lang?: string | undefined };
type BillViewProps = {
  bill: Bill;
  /** Returns true for users whose dishes appear under "You" and whose payments appear as "you paid". */
  isOwn?: (userId: number) => boolean;
  /** A control beside the service charge, for example to decline it. */
  besideService?: ComponentChildren;
  renderUnderDiscount?: ((discount: Bill['discounts'][number]) => ComponentChildren) | undefined;
};

/** Shows a bill to guests or staff: who ordered what, the total, and how much is left to pay. */
export function BillView({ bill, isOwn = isNobody, besideService, renderUnderDiscount }: BillViewProps) {
  const words = billMessages();
  return (
    <section class="stack gap-4 bill" aria-label={words.bill}>
      {bill.lines.length === 0 && <p class="dim">{words.nothingOrdered}</p>}
      {byGuest<Line>(bill.lines, isOwn).map(({ name, lines }) => (
        <div key={lines[0]?.ordered_by.id} class="bill-group">
          <h2>{name}</h2>
          <ul>
            {lines.map((line) => (
              <BillLine key={line.id} line={line} bill={bill} />
            ))}
          </ul>
        </div>
      ))}
      <Sums bill={bill} besideService={besideService} renderUnderDiscount={renderUnderDiscount} />
      <Standing bill={bill} isOwn={isOwn} />
    </section>
  );
}

type BillLineProps = { line: Line; bill: Bill };

function BillLine({ line, bill }: BillLineProps) {
  const words = billMessages();
  const { name, lang, quantity, amount, settled } = line;
  const weight = measureText(line, bill.currency);
  const isPaid = settled.count === settled.of;
  const isHeld = isBeingPaid(bill, line);
  const state = isHeld
    ? words.beingPaid
    : isPaid
      ? words.paid
      : settled.count > 0 && words.partPaid(settled.count, settled.of);
  return (
    <li class={classNames('bill-line', isHeld ? 'bill-line-held' : isPaid && 'bill-line-paid')}>
      <b>{quantity}</b>
      <div class="bill-line-main">
        <div class="bill-line-name" lang={lang}>
          {name}
          {weight !== null && <p class="dim">{weight}</p>}
          <OptionLines options={line.options} dishes={line.quantity} />
        </div>
        <Money>{formatMoney(amount, bill.currency)}</Money>
      </div>
      {state !== false && (
        <em>
          <Icon name={isHeld ? 'clock' : 'check'} size={20} /> {state}
        </em>
      )}
    </li>
  );
}

type SumsProps = Pick<BillViewProps, 'bill' | 'besideService' | 'renderUnderDiscount'>;

function Sums({ bill, besideService, renderUnderDiscount }: SumsProps) {
  const words = billMessages();
  const { currency, discounts, service_charge: service, rounding, items_total: itemsTotal } = bill;
  const hasService = rateOf(service.rate) > 0n;
  return (
    <dl class="bill-sums">
      {(hasService || discounts.length > 0 || rounding !== '0.00') && (
        <div>
          <dt>{words.items}</dt>
          <Money as="dd">{formatMoney(itemsTotal, currency)}</Money>
        </div>
      )}
      {discounts.map((discount) => (
        <div key={discount.id}>
          <dt>{discountLabel(discount, bill)}</dt>
          <Money as="dd">
            {formatMoney(`-${discount.amount}`, currency)}
            {renderUnderDiscount?.(discount)}
          </Money>
        </div>
      ))}
      {hasService && (
        <div>
          <dt>{words.service(formatRate(service.rate))}</dt>
          <Money as="dd">
            {service.included ? formatMoney(service.amount, currency) : words.serviceDeclined}
            {besideService}
          </Money>
        </div>
      )}
      {rounding !== '0.00' && (
        <div>
          <dt>{words.rounding}</dt>
          <Money as="dd">{formatMoney(rounding, currency)}</Money>
        </div>
      )}
      <div class="bill-total">
        <dt>{words.total}</dt>
        <Money as="dd">{formatMoney(bill.total, currency)}</Money>
      </div>
    </dl>
  );
}

/** Shows how much is left to pay. Once the bill has a payment, also shows how much was paid or is being paid. */
function Standing({ bill, isOwn }: Required<Pick<BillViewProps, 'bill' | 'isOwn'>>) {
  const words = billMessages();
  const { currency, paid, reserved, remaining, payments } = bill;
  const isStarted = payments.some(({ status }) => activeStatuses.has(status));
  const ownPaid = paidBy(bill, isOwn);
  return (
    <p class="wrap bill-standing">
      {isStarted && (
        <>
          <span>
            {words.paidSoFar} <Money>{formatMoney(paid, currency)}</Money>
          </span>
          {ownPaid !== '0.00' && (
            <span>
              {words.youPaid} <Money>{formatMoney(ownPaid, currency)}</Money>
            </span>
          )}
          {reserved !== '0.00' && (
            <span>
              {words.beingPaid} <Money>{formatMoney(reserved, currency)}</Money>
            </span>
          )}
        </>
      )}
      <strong>
        {words.left}{' '}
        <span class="money" translate={false} role="status" aria-label={words.leftToPay}>
          {formatMoney(remaining, currency)}
        </span>
      </strong>
    </p>
  );
}
