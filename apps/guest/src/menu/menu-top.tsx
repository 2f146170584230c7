import { allergenNames } from '@comanda/ui/allergens.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatConjunction } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { scrollBehavior } from '@comanda/ui/scroll-behavior.ts';
import { CallButton } from '../call/call-button.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import type { Category } from './menu.ts';
import './menu-top.css';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';

export const sectionId = (index: number): string => `part-${index}`;

/** Returns the index of the menu section at the top of the view. */
function useCurrentSection(sections: number): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const onScroll = (): void => {
      const tops = Array.from(
        { length: sections },
        (_, index) => document.getElementById(sectionId(index))?.getBoundingClientRect().top,
      );
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
      const last = tops.map((top) => top !== undefined && top < (atEnd ? innerHeight : 220)).lastIndexOf(true);
      setCurrent(Math.max(0, last));
    };
    onScroll();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [sections]);
  return current;
}

function Place() {
  const words = messages();
  const name = useGuest().seat.table.value;
  return (
    <div class="row wrap top-row">
      <div class="top-place">
        <h1 class={classNames(name !== null && name.length > 8 && 'top-long')} tabIndex={-1}>
          {name === null ? words.menu : words.table(name)}
        </h1>
      </div>
      <div class="wrap gap-2 top-tools">
        <CallButton />
        <MoreMenu />
      </div>
    </div>
  );
}

function SearchField({ onClose }: { onClose: () => void }) {
  const words = messages();
  const { search, setSearch } = useGuest().menu;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const close = (): void => {
    setSearch('');
    onClose();
  };
  return (
    <div class="row gap-2 search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search.value}
        maxLength={60}
        onInput={(event) => setSearch(event.currentTarget.value)}
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
  const { avoided } = useGuest().menu;
  const current = useCurrentSection(parts.length);
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (!chip || !row.current) return;
    row.current.scrollTo({ left: chip.offsetLeft - row.current.offsetLeft - 8, behavior: scrollBehavior() });
  }, [current]);
  const jump = (index: number): void =>
    document.getElementById(sectionId(index))?.scrollIntoView({ behavior: scrollBehavior() });
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
        {parts.map(({ name, lang }, index) => (
          <Chip key={name} lang={lang} current={index === current} onClick={() => jump(index)}>
            {name ?? words.otherCategory}
          </Chip>
        ))}
      </nav>
    </div>
  );
}

/** Says how many dishes the filter hides. */
export function FilterLine({ onFilter }: { onFilter: () => void }) {
  const words = messages();
  const { avoided, hiddenCount } = useGuest().menu;
  if (avoided.value.length === 0) return null;
  const names = formatConjunction(avoided.value.map((each) => allergenNames()[each]));
  const text = hiddenCount.value > 0 ? words.hidden(hiddenCount.value, names) : words.filterOn(names);
  return (
    <div class="row wrap gap-3 filter-line">
      <p role="status">{text}</p>
      <Button kind="quiet" size="small" onClick={onFilter}>
        {words.change}
      </Button>
    </div>
  );
}

type MenuTopProps = { parts: readonly Category[]; calls: ComponentChildren; onFilter: () => void };

/** The top of the menu page: the table's name, the buttons, the menu's sections, the search and the guest's calls. */
export function MenuTop({ parts, calls, onFilter }: MenuTopProps) {
  const [isSearching, setIsSearching] = useState(useGuest().menu.search.value !== '');
  return (
    <header class="top">
      <Place />
      {isSearching ? (
        <SearchField onClose={() => setIsSearching(false)} />
      ) : (
        <Chips parts={parts} onSearch={() => setIsSearching(true)} onFilter={onFilter} />
      )}
      {calls}
    </header>
  );
}

// Loaded when the sheet opens, because few guests need it.
const moreSheet = lazyModule(() => import('./more-sheet.tsx'));

/** The button for the language, the theme and the account. */
function MoreMenu() {
  const words = messages();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <IconButton label={words.more} onClick={() => setIsOpen(true)}>
        <span aria-hidden="true">•••</span>
      </IconButton>
      <Dialog title={words.more} isOpen={isOpen} onClose={close}>
        <Lazy module={moreSheet}>{({ MoreSheet }) => <MoreSheet onClose={close} />}</Lazy>
      </Dialog>
    </>
  );
}
