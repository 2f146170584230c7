import { formatMoney } from '@comanda/ui/format.ts';
import { toMinor, fromMinor } from '@comanda/ui/money.ts';
import { messages } from '../messages.ts';
import { basket, currency, priceOf, sum } from '../state/basket.ts';
import './slip.css';

/** What is chosen, beside the menu on wide screens. */
export function OrderSlip() {
  const words = messages();
  return (
    <section class="slip" aria-label={words.yourOrder}>
      <h2>{words.yourOrder}</h2>
      <ul>
        {basket.value.lines.map((line) => (
          <li key={line.id} class="slip-line">
            <span class="slip-quantity">{line.quantity}×</span>
            <span class="slip-name">
              {line.name}
              {line.remarks !== '' && <span class="remark">{line.remarks}</span>}
            </span>
            <span class="money">{formatMoney(fromMinor(toMinor(priceOf(line)) * line.quantity), currency.value)}</span>
          </li>
        ))}
      </ul>
      <p class="slip-sum">
        <span>{words.thisOrder}</span>
        <span class="money">{formatMoney(sum.value, currency.value)}</span>
      </p>
    </section>
  );
}
