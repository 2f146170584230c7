import type { Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useState } from 'preact/hooks';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { usedDrawer } from './choose-drawer.tsx';
import './count-cash.css';
import { CountForm } from './count-form.tsx';
import { drawerName, mainDrawer } from './drawer-name.ts';
import { drawerFailureWords } from './failure-words.ts';
import { countMessages } from './messages.ts';
import { useCashDrawers } from './use-cash-drawers.ts';

type CountCashProps = { client: Client; currency: string };

/** The waiters' page for counting a cash drawer. It shows what was counted, but never what should be there, nor a difference. */
export function CountCash({ client, currency }: CountCashProps) {
  const words = countMessages();
  const { drawers, failure, retry } = useCashDrawers(client);
  const [chosen, setChosen] = useState(usedDrawer() ?? mainDrawer);
  const [saved, setSaved] = useState<string | null>(null);
  const drawer = drawers?.find(({ name }) => name === chosen) ?? drawers?.find(({ name }) => name === mainDrawer);
  return (
    <div class="stack gap-3 count-cash">
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {words.page.back}
      </a>
      <div class="waiter-page-head">
        <h1>{words.page.title}</h1>
      </div>
      {failure !== null && (
        <ErrorPanel words={drawerFailureWords(failure)}>
          <Button size="small" onClick={retry}>
            {words.page.tryAgain}
          </Button>
        </ErrorPanel>
      )}
      {drawers === null && failure === null && <LoadingRows />}
      {drawers && drawers.length > 1 && (
        <div class="count-drawers" role="group" aria-label={words.drawers}>
          {drawers.map((each) => (
            <Chip
              key={each.name}
              pressed={each === drawer}
              onClick={() => {
                setChosen(each.name);
                setSaved(null);
              }}
            >
              {drawerName(each)}
            </Chip>
          ))}
        </div>
      )}
      <p role="status" class="row gap-2 count-cash-saved">
        {saved !== null && (
          <>
            <Icon name="check" /> {saved}
          </>
        )}
      </p>
      {drawer && saved === null && (
        <section class="waiter-panel" aria-label={drawerName(drawer)}>
          <p class="dim">{words.page.hint}</p>
          <CountForm
            key={drawer.name}
            client={client}
            drawer={drawer}
            currency={currency}
            onCounted={(counted) =>
              setSaved(words.page.saved(drawerName(drawer), formatMoney(counted, currency), formatTime(client.now())))
            }
          />
        </section>
      )}
      {saved !== null && <Button onClick={() => setSaved(null)}>{words.page.again}</Button>}
    </div>
  );
}
