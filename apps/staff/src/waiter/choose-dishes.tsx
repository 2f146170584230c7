import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { LiveItem } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { scrollBehavior } from '@comanda/ui/scroll-behavior.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { searchTextOf } from '../menu/search-text.ts';
import type { OpenDish } from './dish-sheet.tsx';
import { DishTile } from './dish-tile.tsx';
import { waiterMessages } from './messages.ts';
import { placeOf } from './send-draft.ts';
import type { WaiterSession } from './waiter-session.ts';

type ChooseDishesProps = { session: WaiterSession; table: string; onOpen: OpenDish };
/** A section of the page: the dishes of a category, or those that the waiter has ordered last. */
type Section = { name: string; dishes: readonly LiveItem[] };

/** The menu as tiles, with the dishes that the waiter has ordered last on top. */
export function ChooseDishes({ session, table, onOpen }: ChooseDishesProps) {
  const words = waiterMessages().order;
  const [search, setSearch] = useState<string | null>(null);
  const menu = session.menu.dishes.value;
  const failure = session.menu.failure.value;
  const isSearching = search !== null && search.trim() !== '';
  const found = (menu ?? []).filter((dish) => matches(searchTextOf(dish), search ?? ''));
  const sections = isSearching ? byCategory(found) : [...recentOf(session, found), ...byCategory(found)];
  return (
    <>
      <div class="waiter-taking-side">
        <div class="row wrap gap-2 waiter-taking-head">
          <h1>{uiMessages().tableOf(table)}</h1>
          <a class="button button-secondary button-small" href="#/waiter/order" aria-label={words.change}>
            {words.changeShort}
          </a>
          <IconButton
            label={words.search}
            aria-expanded={search !== null}
            onClick={() => setSearch(search === null ? '' : null)}
          >
            <Icon name="search" />
          </IconButton>
          <a class="centre icon-button" href={`#/waiter/tables/${table}`} aria-label={words.toTable}>
            <Icon name="receipt" />
          </a>
        </div>
        <OpenFree session={session} table={table} />
        {search !== null && (
          <input
            class="field-input"
            type="search"
            autocomplete="off"
            aria-label={words.search}
            placeholder={words.search}
            value={search}
            ref={focusOnce}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {sections.length > 1 && <Categories names={sections.map(({ name }) => name)} />}
      </div>
      <div class="waiter-taking-dishes">
        {failure !== null && <ErrorPanel words={failureWords(failure)} />}
        {menu === null && failure === null && <LoadingRows text={words.loading} />}
        {menu !== null && found.length === 0 && <p>{words.nothingFound}</p>}
        {sections.map(({ name, dishes }, index) => (
          <section key={name} id={sectionId(index)} class="waiter-dishes" aria-label={name}>
            {sections.length > 1 && <h2>{name}</h2>}
            <ul>
              {dishes.map((dish) => (
                <DishTile key={dish.id} {...{ dish, session, isSearching, onOpen }} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

/** Moves the focus to the field when it appears. */
const focusOnce = (field: HTMLInputElement | null): void => field?.focus();

const byCategory = (dishes: readonly LiveItem[]): readonly Section[] =>
  [...groupBy(dishes, ({ category }) => textKey(category ?? '')).values()].map((group) => ({
    name: group[0]?.category ?? waiterMessages().order.others,
    dishes: group,
  }));

function recentOf({ recentDishes }: WaiterSession, menu: readonly LiveItem[]): readonly Section[] {
  const dishes = recentDishes.ids.value.flatMap((recent) => menu.find(({ id }) => id === recent) ?? []);
  return dishes.length === 0 ? [] : [{ name: waiterMessages().order.recent, dishes }];
}

/** For a free table: the button that lets its guests join by their phones before anything is ordered. */
function OpenFree({ session, table: name }: { session: WaiterSession; table: string }) {
  const words = waiterMessages();
  const { failure, isBusy, run } = useAction();
  const table = session.tables.tables.value.find((each) => each.table === name);
  if (!table || !placeOf(session, name).isFree) return null;
  return (
    <div class="row wrap gap-2 waiter-open-free">
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <p class="dim">{words.order.opens}</p>
      <Button size="small" aria-disabled={isBusy} onClick={() => !isBusy && void run(() => session.openTable(table))}>
        {words.tables.open}
      </Button>
    </div>
  );
}

const sectionId = (index: number): string => `dishes-${index}`;

/** Buttons that scroll to the menu's sections. They stay in view while the menu scrolls. */
const Categories = ({ names }: { names: readonly string[] }) => (
  <nav class="waiter-categories" aria-label={waiterMessages().order.categories}>
    {names.map((name, index) => (
      <Chip
        key={name}
        current={false}
        onClick={() => document.getElementById(sectionId(index))?.scrollIntoView({ behavior: scrollBehavior() })}
      >
        {name}
      </Chip>
    ))}
  </nav>
);
