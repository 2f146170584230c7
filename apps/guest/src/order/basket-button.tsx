import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import './basket-button.css';

/** The link to the review page, with the number of selected dishes and their price. */
export function BasketButton() {
  const words = messages();
  const { basket, menu } = useGuest();
  const { navigate } = useRouter();
  const count = basket.count.value;
  const money = formatMoney(basket.sum.value, menu.currency.value);
  return (
    <button
      type="button"
      class="row basket-button"
      aria-label={`${words.basket(count, money)}, ${words.review}`.replaceAll('\u00a0', ' ')}
      onClick={() => navigate({ page: 'review' })}
    >
      <Icon name="receipt" />
      <span class="basket-button-sum" translate={false}>
        {words.items(count)} · {money}
      </span>
      <span class="basket-button-word">{words.review}</span>
      <Icon name="chevron" />
    </button>
  );
}
