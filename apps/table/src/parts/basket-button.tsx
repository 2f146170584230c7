import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { count, currency, sum } from '../state/basket.ts';
import { navigate } from '../state/route.ts';
import './basket-button.css';

/** The way to the review: what is chosen, and what it costs. */
export function BasketButton() {
  const words = messages();
  const money = formatMoney(sum.value, currency.value);
  return (
    <button
      type="button"
      class="basket-button"
      aria-label={words.basket(count.value, money).replaceAll('\u00a0', ' ')}
      onClick={() => navigate({ page: 'review' })}
    >
      <Icon name="receipt" />
      <span class="basket-button-sum">
        {words.items(count.value)} · {money}
      </span>
      <span class="basket-button-word" data-word={words.review} />
      <Icon name="chevron" />
    </button>
  );
}
