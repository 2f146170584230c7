import { formatMoney } from '@comanda/ui/format.ts';
import { OptionLines } from '@comanda/ui/options/option-lines.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { toMinor, fromMinor } from '@comanda/contracts/money';
import { useGuest } from '../contexts.ts';
import type { InGuestLanguage } from '../in-guest-language.ts';
import { messages } from '../messages.ts';
import type { Line } from './basket.ts';
import './slip.css';

type OrderSlipProps = { lines: readonly InGuestLanguage<Line>[]; sum: string };

/** Shows the selected dishes, read-only. */
export function OrderSlip({ lines, sum }: OrderSlipProps) {
  const words = messages();
  const { basket, menu } = useGuest();
  const currency = menu.currency.value;
  return (
    <section class="slip" aria-label={words.yourOrder}>
      <h2>{words.yourOrder}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.id} class="slip-line">
            <span class="dim">{line.quantity}×</span>
            <span class="stack gap-1 slip-name">
              <bdi lang={line.lang}>{line.name}</bdi>
              <OptionLines options={basket.optionsOf(line)} dishes={line.quantity} />
              {line.remarks !== '' && <span class="remark">{line.remarks}</span>}
            </span>
            <Money>{formatMoney(fromMinor(toMinor(basket.priceOf(line)) * BigInt(line.quantity)), currency)}</Money>
          </li>
        ))}
      </ul>
      <p class="slip-sum">
        <span>{words.thisOrder}</span>
        <Money>{formatMoney(sum, currency)}</Money>
      </p>
    </section>
  );
}
