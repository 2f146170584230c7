import { allergenNames } from '@comanda/ui/allergens.ts';
import type { Client, LiveItem } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatList } from '@comanda/ui/format.ts';
import { currencySign, formatAmount } from '../parts/currency-sign.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { useAction } from '../parts/use-action.ts';
import { DishForm } from './dish-form.tsx';
import type { ManagerSession } from './manager-session.ts';
import { managerFailureWords, managerMessages } from './messages.ts';
import { Switch } from './switch.tsx';

type Props = { client: Client; session: ManagerSession; chosen: string | undefined };

const isSoldOut = ({ available, portions_left: left }: LiveItem): boolean => !available || left === 0;

/** The menu by category, and the dish that is being changed. */
export function MenuPage({ client, session, chosen }: Props) {
  const words = managerMessages().menu;
  const [search, setSearch] = useState('');
  const dishes = session.menu.value ?? [];
  const found = dishes
    .filter(({ name, category }) => matches(`${name} ${category ?? ''}`, search))
    .toSorted((a, b) => a.position - b.position || a.id - b.id);
  const categories = [...Map.groupBy(found, ({ category }) => category)];
  const dish = dishes.find(({ id }) => String(id) === chosen);
  const failure = session.menuFailure.value;
  return (
    <div class={`menu-page ${chosen === undefined ? '' : 'menu-page-chosen'}`}>
      <div class="manager-head">
        <h1>{managerMessages().nav.menu}</h1>
        <p>{session.menu.value && words.summary(dishes.length, dishes.filter(isSoldOut).length)}</p>
        <input
          class="field-input manager-search"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <a class="button button-secondary button-small" href="#/manager/ordering">
          {words.pause}
        </a>
        <a class="button button-primary button-small" href="#/manager/menu/new">
          {words.add}
        </a>
      </div>
      <div class="menu-list">
        <p role="status" class="manager-notice">
          {session.notice.value}
        </p>
        {failure !== null && (
          <ErrorPanel words={managerFailureWords(failure)}>
            <Button size="small" onClick={() => void session.readMenu()}>
              {managerMessages().tryAgain}
            </Button>
          </ErrorPanel>
        )}
        {session.menu.value && found.length === 0 && <p>{search === '' ? words.empty : words.nothingFound}</p>}
        {categories.map(([category, group], index) => (
          <section key={category} aria-label={category ?? words.noCategory}>
            <h2 class="menu-category">
              {category ?? words.noCategory}
              {index === 0 && (
                <span class="menu-columns" aria-hidden="true">
                  <i>{words.portions}</i>
                  <i>{currencySign(group[0]?.currency ?? 'BRL')}</i>
                  <i>{words.onSale}</i>
                </span>
              )}
            </h2>
            <ul>
              {group.map((each) => (
                <DishRow key={each.id} client={client} dish={each} session={session} isChosen={each === dish} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <aside class="menu-panel">
        {chosen === undefined ? (
          <p class="menu-panel-empty">{words.choose}</p>
        ) : (
          (dish || chosen === 'new') && (
            <DishForm key={chosen} client={client} dish={dish ?? null} draftKey={chosen} session={session} />
          )
        )}
        {chosen !== undefined && chosen !== 'new' && !dish && session.menu.value && (
          <p class="menu-panel-empty">{managerMessages().dish.gone}</p>
        )}
      </aside>
    </div>
  );
}

type DishRowProps = { client: Client; dish: LiveItem; session: ManagerSession; isChosen: boolean };

function DishRow({ client, dish, session, isChosen }: DishRowProps) {
  const words = managerMessages().menu;
  const { failure, run, isBusy } = useAction();
  const isOff = isSoldOut(dish);
  const setOnSale = (available: boolean): void =>
    void run(async () => {
      // A dish whose portions are gone is sold without a limit again.
      const portions = available && dish.portions_left === 0 ? { portions_left: null } : {};
      session.setDish(await client.calls.setAvailability({ id: dish.id, available, ...portions }));
    });
  return (
    <li class={`menu-row ${isChosen ? 'menu-row-chosen' : ''} ${isOff ? 'menu-row-off' : ''}`}>
      <div class="menu-row-link">
        <span class="menu-row-picture">
          <DishPicture url={dish.image_url} tile={dish.position} isFaded={isOff} />
        </span>
        <span class="menu-row-text">
          <a class="menu-row-name" href={`#/manager/menu/${dish.id}`}>
            <span class="spoken">{words.edit}</span> {dish.name}
          </a>
          {dish.allergens.length === 0 ? (
            <span class="manager-warning">{words.noAllergens}</span>
          ) : (
            <span>{formatList(dish.allergens.map((each) => allergenNames()[each]))}</span>
          )}
          {session.drafts.value.has(String(dish.id)) && <span class="manager-warning">{words.notSaved}</span>}
        </span>
        <span class={`menu-row-portions ${(dish.portions_left ?? 9) <= 5 ? 'manager-warning' : ''}`}>
          {isOff ? words.soldOut : dish.portions_left !== null && words.left(dish.portions_left)}
        </span>
        <span class="menu-row-price">{formatAmount(dish.price, dish.currency)}</span>
      </div>
      <Switch label={words.onSaleOf(dish.name)} isOn={!isOff} isBusy={isBusy} onChange={setOnSale} />
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
    </li>
  );
}
