import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { EmptyPlateDrawing, NoConnectionDrawing } from '@comanda/ui/drawings.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { readFailureWords } from '@comanda/ui/read-failure-words.ts';
import { useGuest } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { messages } from '../messages.ts';
import { AllergenDialog } from './allergen-dialog.tsx';
import { DishRow } from './dish-row.tsx';
import { KnownMenuNotice } from './known-menu-notice.tsx';
import { FilterLine, MenuTop, sectionId } from './menu-top.tsx';
import type { Category } from './menu.ts';
import './menu-page.css';

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
  const { search, setSearch, avoided, avoid } = useGuest().menu;
  if (search.value.trim() !== '')
    return (
      <EmptyState
        drawing={<EmptyPlateDrawing />}
        title={words.nothingFound(search.value)}
        hint={words.nothingFoundHint}
      >
        <Button onClick={() => setSearch('')}>{words.clearSearch}</Button>
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
  const { dishes: all, failure, loadAgain } = useGuest().menu;
  if (all.value === null && failure.value !== null)
    return (
      <div class="menu-failed">
        <NoConnectionDrawing />
        <ErrorPanel words={{ ...readFailureWords(failure.value), happened: words.menuFailed }}>
          <Button onClick={loadAgain}>{words.tryAgain}</Button>
        </ErrorPanel>
      </div>
    );
  if (all.value === null) return <Loading />;
  if (parts.length === 0) return <NothingToShow />;
  return (
    <>
      {parts.map(({ name, lang, dishes }, index) => (
        <section key={name} id={sectionId(index)} class="menu-part" aria-labelledby={`${sectionId(index)}-title`}>
          <h2 id={`${sectionId(index)}-title`} lang={lang}>
            {name ?? words.otherCategory}
          </h2>
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

type MenuPageProps = {
  /** The guest's calls, in the head. */ calls: ComponentChildren;
  /** Notices above the dishes, such as why the guest can't order now. */ notices: ComponentChildren;
  /** The bar at the bottom, which stays in view while the dishes scroll. */ dock: ComponentChildren;
};

/** The menu page, which is the app's home page. */
export function MenuPage({ calls, notices, dock }: MenuPageProps) {
  const [isFiltering, setIsFiltering] = useState(false);
  const parts = useGuest().menu.categories.value;
  const openFilter = (): void => setIsFiltering(true);
  return (
    <div class="menu-page">
      <MenuTop parts={parts} calls={calls} onFilter={openFilter} />
      <main class="menu-main">
        <div class="menu-notices">
          <KnownMenuNotice />
          {notices}
          <FilterLine onFilter={openFilter} />
        </div>
        <Dishes parts={parts} />
      </main>
      {dock}
      <AllergenDialog isOpen={isFiltering} onClose={() => setIsFiltering(false)} />
    </div>
  );
}
