import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { NoConnectionDrawing } from '@comanda/ui/drawings.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Lazy, type LazyModule } from '@comanda/ui/lazy.tsx';
import { readFailureWords } from '@comanda/ui/read-failure-words.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import type { AllergenDialog } from './allergen-dialog.tsx';
import type { NothingToShow } from './nothing-to-show.tsx';
import { DishRow } from './dish-row.tsx';
import type { KnownMenuNotice } from './known-menu-notice.tsx';
import { FilterLine, MenuTop, sectionId } from './menu-top.tsx';
import type { Category } from './menu.ts';
import './menu-page.css';

const Loading = () => (
  <div class="loading" aria-busy="true">
    <p class="visually-hidden" role="status">
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

function Dishes({ parts, late }: { parts: readonly Category[]; late: Late }) {
  const words = messages();
  const { dishes: all, failure, loadAgain } = useGuest().menu;
  if (all.value === null && failure.value !== null)
    return (
      <div class="stack gap-4 menu-failed">
        <NoConnectionDrawing />
        <ErrorPanel words={{ ...readFailureWords(failure.value), happened: words.menuFailed }}>
          <Button onClick={loadAgain}>{words.tryAgain}</Button>
        </ErrorPanel>
      </div>
    );
  if (all.value === null) return <Loading />;
  if (parts.length === 0) return <Lazy module={late}>{({ NothingToShow: Nothing }) => <Nothing />}</Lazy>;
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

/** What is loaded after the menu. */
type Late = LazyModule<{
  AllergenDialog: typeof AllergenDialog;
  KnownMenuNotice: typeof KnownMenuNotice;
  NothingToShow: typeof NothingToShow;
}>;
type MenuPageProps = {
  /** The guest's calls, in the head. */ calls: ComponentChildren;
  /** Notices above the dishes, such as why the guest can't order now. */ notices: ComponentChildren;
  /** The bar at the bottom, which stays in view while the dishes scroll. */ dock: ComponentChildren;
  late: Late;
};

/** The menu page, which is the app's home page. */
export function MenuPage({ calls, notices, dock, late }: MenuPageProps) {
  const [isFiltering, setIsFiltering] = useState(false);
  const parts = useGuest().menu.categories.value;
  const filter = { isOpen: isFiltering, onClose: () => setIsFiltering(false) };
  const openFilter = (): void => setIsFiltering(true);
  const loaded = late.loaded.value;
  return (
    <div class="column menu-page">
      <MenuTop parts={parts} calls={calls} onFilter={openFilter} />
      <main class="menu-main">
        <div class="stack gap-3 menu-notices">
          {loaded && <loaded.KnownMenuNotice />}
          {notices}
          <FilterLine onFilter={openFilter} />
        </div>
        <Dishes parts={parts} late={late} />
      </main>
      {dock}
      {loaded ? (
        <loaded.AllergenDialog {...filter} />
      ) : (
        <Dialog title={messages().filterTitle} {...filter}>
          <Lazy module={late}>{() => null}</Lazy>
        </Dialog>
      )}
    </div>
  );
}
