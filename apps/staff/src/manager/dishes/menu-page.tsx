import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { Client, LiveItem } from '@comanda/client/core';
import { defaultCurrency } from '@comanda/contracts/rules';
import { useEffect, useState } from 'preact/hooks';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { currencySign } from '../../currency-sign.ts';
import { Button } from '@comanda/ui/button.tsx';
import { DishOrder } from './dish-order.tsx';
import { DishForm } from './dish-form.tsx';
import { DishRow } from './dish-row.tsx';
import { searchTextOf } from '../../menu/search-text.ts';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import { MenuLanguage } from './menu-language.tsx';
import './menu-page.css';
import { managerMessages } from '../messages.ts';

type Props = { client: Client; session: ManagerSession; chosen: string | undefined };

/** The menu by category, with the form for the selected dish. */
export function MenuPage({ client, session, chosen }: Props) {
  const words = managerMessages().menu;
  const [search, setSearch] = useState('');
  const [isSorting, setIsSorting] = useState(false);
  const { dishes: known, failure, load } = session.menu;
  const dishes = known.value ?? [];
  const hasOptions = dishes.some(({ option_group_ids: groupIds = [] }) => groupIds.length > 0);
  useEffect(() => {
    if (hasOptions) session.options.load();
  }, [session, hasOptions]);
  // A part of a category can't be put in order.
  const found = dishes.filter((dish) => isSorting || matches(searchTextOf(dish), search));
  const groups = [...groupBy(found, ({ category }) => category && textKey(category)).values()];
  const categories = groups.map((group) => [group[0]?.category ?? null, group] as const);
  const dish = dishes.find(({ id }) => String(id) === chosen);
  return (
    <div class={classNames('menu-page', chosen !== undefined && 'menu-page-chosen')}>
      <div class="manager-head">
        <h1>{managerMessages().nav.menu}</h1>
        <p>{known.value && words.summary(dishes.length, dishes.filter(isSoldOut).length)}</p>
        <input
          class="field-input manager-search"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <a class="button button-secondary button-small" href="#/manager/menu/options">
          {managerMessages().dish.groups}
        </a>
        <a class="button button-secondary button-small" href="#/manager/menu/file" aria-label={words.asFile}>
          CSV
        </a>
        <a class="button button-primary button-small" href="#/manager/menu/new">
          {words.add}
        </a>
      </div>
      <div class="column gap-2 menu-list">
        <p role="status" class="manager-notice">
          {session.saved.value !== '' && managerMessages().dish.savedIt(session.saved.value)}
        </p>
        {dishes.length > 1 && (
          <div class="row gap-3 menu-sort">
            <p class="dim">{isSorting ? words.sortHint : chosen === undefined && words.choose}</p>
            <Button size="small" aria-pressed={isSorting} onClick={() => setIsSorting(!isSorting)}>
              {isSorting ? words.sorted : words.sort}
            </Button>
          </div>
        )}
        <Failure of={failure.value} onRetry={load} />
        {known.value === null && failure.value === null && <LoadingRows />}
        {known.value && found.length === 0 && <p>{search === '' ? words.empty : words.nothingFound}</p>}
        {categories.map(([category, group], index) => (
          <section key={category} aria-label={category ?? words.noCategory}>
            <h2 class="menu-category">
              {category ?? words.noCategory}
              {index === 0 && !isSorting && <Columns currency={group[0]?.currency ?? defaultCurrency} />}
            </h2>
            {isSorting ? (
              <DishOrder client={client} dishes={group} />
            ) : (
              <ul>
                {group.map((each) => (
                  <DishRow key={each.id} client={client} dish={each} session={session} isChosen={each === dish} />
                ))}
              </ul>
            )}
          </section>
        ))}
        {known.value && <MenuLanguage restaurant={session.restaurant} />}
      </div>
      {chosen !== undefined && (
        <aside class="menu-panel">
          <Panel client={client} session={session} chosen={chosen} dish={dish} />
        </aside>
      )}
    </div>
  );
}

type PanelProps = Omit<Props, 'chosen'> & { chosen: string; dish: LiveItem | undefined };

/** Shows the form for the selected dish. */
function Panel({ client, session, chosen, dish }: PanelProps) {
  if (dish || chosen === 'new')
    return <DishForm key={chosen} client={client} dish={dish ?? null} draftKey={chosen} session={session} />;
  return session.menu.dishes.value && <p class="menu-panel-empty">{managerMessages().dish.gone}</p>;
}

/** The columns' headings, shown once above all categories. */
function Columns({ currency }: { currency: string }) {
  const words = managerMessages().menu;
  return (
    <span class="menu-columns" aria-hidden="true">
      <i>{words.portions}</i>
      <i>{currencySign(currency)}</i>
      <i>{words.onSale}</i>
    </span>
  );
}
