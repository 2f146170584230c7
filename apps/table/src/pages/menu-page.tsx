import { allergenNames } from '@comanda/ui/allergens.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { EmptyPlateDrawing, NoConnectionDrawing } from '@comanda/ui/drawings.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatConjunction } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LanguageButton, ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { messages } from '../messages.ts';
import { AllergenDialog } from '../parts/allergen-dialog.tsx';
import { BasketButton } from '../parts/basket-button.tsx';
import { DishRow } from '../parts/dish-row.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { NotLiveNotice, OutgoingNotice, PausedNotice, SeatNotice, StoppedNotice } from '../parts/notices.tsx';
import { OrderSlip } from '../parts/order-slip.tsx';
import { ProgressLink } from '../parts/progress-link.tsx';
import { basket, count, sum } from '../state/basket.ts';
import { avoid, avoided, categories, hiddenCount, menu, menuFailure, readMenuAgain, search } from '../state/menu.ts';
import type { Category } from '../state/menu.ts';
import { orders } from '../state/orders.ts';
import { navigate } from '../state/route.ts';
import { scanTrouble, table } from '../state/seat.ts';
import './menu-page.css';

const sectionId = (index: number): string => `part-${index}`;

/** The part of the menu that is at the top of the view. */
function useCurrentSection(sections: number): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const onScroll = (): void => {
      const tops = Array.from(
        { length: sections },
        (_, index) => document.getElementById(sectionId(index))?.getBoundingClientRect().top,
      );
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
      const last = tops.findLastIndex((top) => top !== undefined && top < (atEnd ? innerHeight : 220));
      setCurrent(Math.max(0, last));
    };
    onScroll();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [sections]);
  return current;
}

function Top() {
  const words = messages();
  const name = table.value;
  return (
    <div class="top-row">
      <div class="top-place">
        <p>{name === null ? 'Comanda' : words.youAreAt}</p>
        <h1 tabIndex={-1}>{name === null ? words.menu : words.table(name)}</h1>
      </div>
      <div class="top-tools">
        <LanguageButton />
        <ThemeButton />
        <IconButton label={words.account} onClick={() => navigate({ page: 'account' })}>
          <Icon name="account" />
        </IconButton>
      </div>
    </div>
  );
}

function SearchField({ onClose }: { onClose: () => void }) {
  const words = messages();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const close = (): void => {
    search.value = '';
    onClose();
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search.value}
        maxLength={60}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && close()}
      />
      <IconButton label={words.closeSearch} onClick={close}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

type ChipsProps = { parts: readonly Category[]; onSearch: () => void; onFilter: () => void };
function Chips({ parts, onSearch, onFilter }: ChipsProps) {
  const words = messages();
  const current = useCurrentSection(parts.length);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (!chip || !row.current) return;
    row.current.scrollTo({ left: chip.offsetLeft - row.current.offsetLeft - 8, behavior: 'smooth' });
  }, [current]);
  const jump = (index: number): void =>
    document.getElementById(sectionId(index))?.scrollIntoView({ behavior: 'smooth' });
  return (
    <div class="chips">
      <IconButton label={words.search} onClick={onSearch}>
        <Icon name="search" />
      </IconButton>
      <IconButton
        label={words.filter}
        class={classNames('filter-button', avoided.value.length > 0 && 'icon-button-on')}
        onClick={onFilter}
      >
        <Icon name="filter" />
        <span class="filter-button-word">{words.filter}</span>
      </IconButton>
      <nav class="chips-row" aria-label={words.categories} ref={row}>
        {parts.map(({ name }, index) => (
          <Chip key={name} current={index === current} onClick={() => jump(index)}>
            {name ?? words.otherCategory}
          </Chip>
        ))}
      </nav>
    </div>
  );
}

function FilterLine({ onFilter }: { onFilter: () => void }) {
  const words = messages();
  if (avoided.value.length === 0) return null;
  const names = formatConjunction(avoided.value.map((each) => allergenNames()[each]));
  const text = hiddenCount.value > 0 ? words.hidden(hiddenCount.value, names) : words.filterOn(names);
  return (
    <div class="filter-line">
      <p role="status">{text}</p>
      <Button kind="quiet" size="small" onClick={onFilter}>
        {words.filter}
      </Button>
    </div>
  );
}

const Loading = () => (
  <div class="loading" aria-busy="true">
    <p class="spoken" role="status">
      {messages().loading}
    </p>
    {[0, 1, 2, 3, 4].map((index) => (
      <div key={index} class="loading-row" aria-hidden="true">
        <span />
        <span />
      </div>
    ))}
  </div>
);

function NothingToShow() {
  const words = messages();
  if (search.value.trim() !== '')
    return (
      <EmptyState
        drawing={<EmptyPlateDrawing />}
        title={words.nothingFound(search.value)}
        hint={words.nothingFoundHint}
      >
        <Button onClick={() => (search.value = '')}>{words.clearSearch}</Button>
      </EmptyState>
    );
  if (avoided.value.length > 0)
    return (
      <EmptyState drawing={<EmptyPlateDrawing />} title={words.nothingLeft} hint={words.nothingLeftHint}>
        <Button onClick={() => avoid([])}>{words.filterClear}</Button>
      </EmptyState>
    );
  return <EmptyState drawing={<EmptyPlateDrawing />} title={words.emptyMenu} hint={words.emptyMenuHint} />;
}

function Dishes({ parts }: { parts: readonly Category[] }) {
  const words = messages();
  if (menu.value === null && menuFailure.value !== null)
    return (
      <div class="menu-failed">
        <NoConnectionDrawing />
        <ErrorPanel words={{ ...failureWords(menuFailure.value), happened: words.menuFailed }}>
          <Button onClick={readMenuAgain}>{words.tryAgain}</Button>
        </ErrorPanel>
      </div>
    );
  if (menu.value === null) return <Loading />;
  if (parts.length === 0) return <NothingToShow />;
  return (
    <>
      {parts.map(({ name, dishes }, index) => (
        <section key={name} id={sectionId(index)} class="menu-part" aria-labelledby={`${sectionId(index)}-title`}>
          <h2 id={`${sectionId(index)}-title`}>{name ?? words.otherCategory}</h2>
          <div class="dishes">
            {dishes.map((dish, position) => (
              <DishRow key={dish.id} dish={dish} tile={position + index} isFirst={index === 0 && position < 4} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

/** The menu, and from it everything else. */
export function MenuPage() {
  const [isSearching, setIsSearching] = useState(search.value !== '');
  const [isFiltering, setIsFiltering] = useState(false);
  const parts = categories.value;
  const openFilter = (): void => setIsFiltering(true);
  const hasBasket = table.value !== null && count.value > 0;
  const hasOrders = orders.value.length > 0;
  const hasEnded = scanTrouble.value === 'ended';
  return (
    <div class="menu-page">
      <header class="top">
        <Top />
        {isSearching ? (
          <SearchField onClose={() => setIsSearching(false)} />
        ) : (
          <Chips parts={parts} onSearch={() => setIsSearching(true)} onFilter={openFilter} />
        )}
      </header>
      <main class="menu-main">
        <div class="menu-notices">
          {!hasEnded && <SeatNotice />}
          <OutgoingNotice />
          <StoppedNotice />
          <PausedNotice />
          {table.value !== null && <NotLiveNotice />}
          <FilterLine onFilter={openFilter} />
        </div>
        <Dishes parts={parts} />
      </main>
      {(hasBasket || hasOrders || hasEnded) && (
        <div class="menu-basket">
          {hasEnded && <SeatNotice />}
          {hasBasket && (
            <div class="slip-box menu-slip">
              <OrderSlip lines={basket.value.lines} sum={sum.value} />
            </div>
          )}
          <div class={classNames('menu-ways', hasBasket && hasOrders && 'menu-ways-both')}>
            <ProgressLink />
            {hasBasket && <BasketButton />}
          </div>
        </div>
      )}
      <AllergenDialog isOpen={isFiltering} onClose={() => setIsFiltering(false)} />
    </div>
  );
}
