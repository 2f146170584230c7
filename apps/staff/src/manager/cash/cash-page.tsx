import type { Client } from '@comanda/client/core';
import { classNames } from '@comanda/ui/class-names.ts';
import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { drawerName, mainDrawer } from '../../cash/drawer-name.ts';
import { countMessages } from '../../cash/messages.ts';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import { Failure } from '../failure.tsx';
import { loadPages } from '../load-pages.ts';
import type { ManagerSession } from '../manager-session.ts';
import { MoreButton } from '../more-button.tsx';
import { Panel } from '../panel.tsx';
import { currencyOf } from '../restaurant.ts';
import { useFresh } from '../use-fresh.ts';
import './cash-page.css';
import { CountRows } from './count-rows.tsx';
import { DrawerCount } from './drawer-count.tsx';
import { EnterCash } from './enter-cash.tsx';
import { ManageDrawers } from './manage-drawers.tsx';
import { cashMessages } from './messages.ts';
import { Movements } from './movements.tsx';
import { managerMessages } from '../messages.ts';

/** How many items a page of a list has. */
const limit = 50;

type CashPageProps = {
  client: Client;
  session: ManagerSession;
  /** The cash drawer in the address. */ chosen?: string | undefined;
};

/** Cash drawers: counts, and cash that no bill explains. */
export function CashPage({ client, session, chosen = mainDrawer }: CashPageProps) {
  const words = cashMessages();
  const { value: drawers, failure, reload } = useFresh(() => client.calls.listCashDrawers());
  const active = (drawers ?? []).filter(({ status }) => status === 'active');
  const drawer = active.find(({ name }) => name === chosen) ?? active.find(({ name }) => name === mainDrawer);
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.cash}</h1>
        <p>{words.hint}</p>
      </div>
      <Failure of={failure} onRetry={() => void reload()} />
      {drawers === null && failure === null && <LoadingRows />}
      {active.length > 1 && (
        <nav class="manager-chips cash-drawers" aria-label={countMessages().drawers}>
          {active.map((each) => (
            <a
              key={each.name}
              href={`#/manager/cash/${each.name}`}
              class={classNames('chip', each === drawer && 'chip-on')}
              aria-current={each === drawer ? 'page' : undefined}
            >
              {drawerName(each)}
            </a>
          ))}
        </nav>
      )}
      {drawers && drawer && (
        <div class="cash">
          <Drawer
            key={drawer.name}
            client={client}
            name={drawer.name}
            currency={currencyOf(session.restaurant)}
            onChanged={() => void reload()}
          />
          <ManageDrawers client={client} drawers={drawers} onChanged={() => void reload()} />
        </div>
      )}
    </>
  );
}

type DrawerProps = { client: Client; name: string; currency: string; onChanged: () => void };

function Drawer({ client, name, currency, onChanged }: DrawerProps) {
  const words = cashMessages().counts;
  /** How many pages of each list are shown. */
  const pageCounts = useSignal({ counts: 1, movements: 1 });
  // Loaded together, so that the newest count and whether cash has moved since fit each other.
  const { value, failure, reload } = useFresh(async () => {
    const wanted = pageCounts.peek();
    const [drawers, counts, movements] = await Promise.all([
      client.calls.listCashDrawers(),
      loadPages(client.pages('listCounts', { name, limit }), { size: limit, count: wanted.counts }),
      loadPages(client.pages('listMovements', { name, limit }), { size: limit, count: wanted.movements }),
    ]);
    return { drawers, counts, movements };
  });
  const [busy, setBusy] = useState<'counts' | 'movements' | null>(null);
  const moreOf = (list: 'counts' | 'movements') =>
    value?.[list].hasMore
      ? {
          isBusy: busy === list,
          more: (): void => {
            pageCounts.value = { ...pageCounts.value, [list]: pageCounts.value[list] + 1 };
            setBusy(list);
            void reload().then(() => setBusy(null));
          },
        }
      : null;
  const drawer = value?.drawers.find((each) => each.name === name);
  const problem = <Failure of={failure} onRetry={() => void reload()} />;
  if (!value || !drawer) return failure === null ? <LoadingRows /> : problem;
  const { drawers, counts, movements } = value;
  const moreOfCounts = moreOf('counts');
  const change = (): void => {
    void reload();
    onChanged();
  };
  const props = { client, drawer, drawers, currency, onChanged: change };
  return (
    <>
      {problem}
      <DrawerCount {...props} counts={counts.items} />
      <EnterCash {...props} />
      <Movements {...props} movements={movements.items} more={moreOf('movements')} />
      <Panel title={words.title}>
        {counts.items.length === 0 && <p class="dim">{words.none}</p>}
        <CountRows counts={counts.items} currency={currency} />
        {moreOfCounts && <MoreButton list={moreOfCounts} />}
      </Panel>
    </>
  );
}
