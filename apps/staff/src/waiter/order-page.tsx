import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { LiveItem } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import { defaultCurrency, maxQuantity } from '@comanda/contracts/rules';
import { useEffect, useState } from 'preact/hooks';
import { fewPortions, isSoldOut } from '@comanda/ui/availability.ts';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { scrollBehavior } from '@comanda/ui/scroll-behavior.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { matches } from '@comanda/ui/plain-text.ts';
import { tableNamed } from './by-table.ts';
import { DishAllergens } from './allergies.tsx';
import { countOf, isOld, totalOf } from './draft.ts';
import { searchTextOf } from '../menu/search-text.ts';
import { waiterMessages } from './messages.ts';
import { NoTables } from './no-tables.tsx';
import './order-page.css';
import { Review } from './review.tsx';
import { TableChoice } from './table-choice.tsx';
import type { WaiterSession } from './waiter-session.ts';

type Props = { session: WaiterSession; table: string | null; isReview: boolean };

/** The pages for taking an order: selecting the table, selecting dishes, and the review. */
export function OrderPage({ session, table: named, isReview }: Props) {
  const table = named && writtenName(session.tables.tables.value, named);
  const draft = session.draft.draft.value;
  const begunFor = draft.lines.length > 0 && !isOld(draft) ? draft.table : null;
  const isOfOther = begunFor !== null && begunFor !== table;
  useEffect(() => session.menu.load(), [session]);
  useEffect(() => {
    if (table !== null && !isOfOther) session.draft.setTable(table);
  }, [session, table, isOfOther]);
  if (table === null) return <ChooseTable session={session} />;
  if (isOfOther) return <ChooseDraft {...{ session, table, begunFor }} />;
  return isReview ? <Review session={session} table={table} /> : <ChooseDishes session={session} table={table} />;
}

/** Returns the table's name as it is spelled in the list, because the address may have it in another case. */
const writtenName = (tables: readonly Table[], named: string): string => tableNamed(tables, named)?.table ?? named;

function ChooseTable({ session }: { session: WaiterSession }) {
  const words = waiterMessages().order;
  return (
    <>
      <h1 class="waiter-title">{words.whichTable}</h1>
      <NoTables session={session} />
      <TableChoice
        tables={session.tables.tables.value}
        isTaken={session.bills.isTaken}
        hrefOf={({ table }) => `#/waiter/order/${table}`}
      />
    </>
  );
}

/** Asks what to do with an unsent draft for another table, so that its dishes and allergies aren't ordered here by mistake. */
function ChooseDraft({ session, table, begunFor }: { session: WaiterSession; table: string; begunFor: string }) {
  const words = waiterMessages().order;
  const { lines, allergies } = session.draft.draft.value;
  return (
    <>
      <h1>{waiterMessages().table(table)}</h1>
      <p>{words.begunFor(begunFor)}</p>
      <p>{[...lines.map(({ quantity, name }) => `${quantity} ${name}`), allergies].filter(Boolean).join(', ')}</p>
      <Button kind="primary" onClick={() => session.draft.clear()}>
        {words.beginAnew}
      </Button>
      <Button onClick={() => session.draft.setTable(table)}>{words.takeFor(table)}</Button>
      <a class="button button-secondary" href={`#/waiter/order/${begunFor}`}>
        {words.backTo(begunFor)}
      </a>
    </>
  );
}

function ChooseDishes({ session, table }: { session: WaiterSession; table: string }) {
  const words = waiterMessages().order;
  const [search, setSearch] = useState('');
  const { lines } = session.draft.draft.value;
  const menu = session.menu.dishes.value;
  const failure = session.menu.failure.value;
  const found = (menu ?? []).filter((dish) => matches(searchTextOf(dish), search));
  const groups = [...groupBy(found, ({ category }) => textKey(category ?? '')).values()];
  const categories = groups.map((dishes) => [dishes[0]?.category ?? '', dishes] as const);
  const isSearching = search.trim() !== '';
  return (
    <>
      <div class="waiter-page-head">
        <h1>{waiterMessages().table(table)}</h1>
        <a class="button button-secondary button-small" href="#/waiter/order">
          {words.change}
        </a>
      </div>
      <Field label={words.search} type="search" autocomplete="off" value={search} onInput={setSearch} />
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      {menu !== null && found.length === 0 && <p>{words.nothingFound}</p>}
      {categories.length > 1 && <Categories names={categories.map(([category]) => category || words.others)} />}
      {categories.map(([category, dishes], index) => (
        <section key={category} id={sectionId(index)} class="waiter-dishes" aria-label={category || words.others}>
          {categories.length > 1 && <h2>{category || words.others}</h2>}
          <ul>
            {dishes.map((dish) => (
              <DishRow key={dish.id} dish={dish} session={session} isSearching={isSearching} />
            ))}
          </ul>
        </section>
      ))}
      {lines.length > 0 && (
        <a class="waiter-review-bar" href={`#/waiter/order/${table}/review`}>
          {words.review(countOf(lines), formatMoney(totalOf(lines), lines[0]?.currency ?? defaultCurrency))}
          <Icon name="chevron" />
        </a>
      )}
    </>
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

type DishRowProps = {
  dish: LiveItem;
  session: WaiterSession;
  /** True while the waiter searches for a dish. Results show all their allergens. */
  isSearching: boolean;
};

function DishRow({ dish, session, isSearching }: DishRowProps) {
  const words = waiterMessages().order;
  const { name, price, currency, portions_left: left } = dish;
  const quantity = session.draft.draft.value.lines.find(({ dishId }) => dishId === dish.id)?.quantity ?? 0;
  const isOff = isSoldOut(dish);
  return (
    <li class={`waiter-dish ${isOff ? 'waiter-dish-off' : ''}`}>
      <span class="waiter-dish-name">
        {name}
        <small>
          {formatMoney(price, currency)}
          {isOff ? ` · ${words.soldOut}` : left !== null && left <= fewPortions && ` · ${words.left(left)}`}
        </small>
        <DishAllergens dish={dish} allergies={session.draft.draft.value.allergies} showsAll={isSearching} />
      </span>
      {quantity > 0 ? (
        <div class="waiter-dish-stepper">
          <Stepper
            value={quantity}
            min={0}
            max={maxQuantity}
            of={name}
            onChange={(next) => session.draft.setQuantity(dish.id, next)}
          />
        </div>
      ) : (
        !isOff && (
          <IconButton label={words.add(name)} onClick={() => session.draft.add(dish)}>
            <Icon name="plus" />
          </IconButton>
        )
      )}
    </li>
  );
}
