import type { Client, LiveItem } from '@comanda/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { messages } from '../messages.ts';
import { countDishes } from '../model/all-day.ts';
import type { Bump } from '../model/bump.ts';
import { Legend } from '../shift/legend.tsx';
import type { BoardSession } from './board-session.ts';
import { tableName } from './table-name.ts';
import './drawers.css';

export type DrawerName = 'all_day' | 'recall' | 'sold_out' | 'legend';

type DrawerProps = { title: string; subtitle?: string; onClose: () => void; children: ComponentChildren };
function Drawer({ title, subtitle, onClose, children }: DrawerProps) {
  return (
    <aside class="drawer" aria-label={title}>
      <div class="drawer-head">
        <h2>{title}</h2>
        <button type="button" class="drawer-close" aria-label={uiMessages().close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {/* It is scrolled with the keys too. */}
      <div class="drawer-body" tabIndex={0} role="group" aria-label={title}>
        {subtitle !== undefined && <p class="drawer-subtitle">{subtitle}</p>}
        {children}
      </div>
    </aside>
  );
}

type Props = { session: BoardSession; onClose: () => void };

const Figure = ({ count }: { count: number }) => (count === 0 ? <td class="all-day-none">–</td> : <td>{count}</td>);

/** How much of each dish is to cook and cooking, the biggest first. */
export function AllDay({ session, onClose }: Props) {
  const words = messages().allDay;
  const dishes = countDishes(
    session.board.cards.value.filter(({ look }) => look !== 'kept').map(({ ticket }) => ticket),
  );
  return (
    <Drawer title={messages().board.allDay} subtitle={words.subtitle} onClose={onClose}>
      {dishes.length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <table class="all-day">
          <thead>
            <tr>
              <th scope="col">{words.dish}</th>
              <th scope="col">{words.toCook}</th>
              <th scope="col">{words.cooking}</th>
            </tr>
          </thead>
          {dishes.map((dish) => (
            <tbody key={dish.name}>
              <tr>
                <th scope="row">{dish.name}</th>
                <Figure count={dish.toCook} />
                <Figure count={dish.cooking} />
              </tr>
              {dish.remarks.map((remark) => (
                <tr key={remark.text} class="all-day-remark">
                  <th scope="row">
                    <mark>{remark.text}</mark>
                  </th>
                  <Figure count={remark.toCook} />
                  <Figure count={remark.cooking} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </Drawer>
  );
}

/** The orders that were bumped on this screen, each with its newest bump, which can be taken back. */
export function Recall({ session, onClose }: Props) {
  const words = messages().recallDrawer;
  const { recalls, undo } = session.board;
  /** Closes the drawer: the same button would then undo the bump before this one. */
  const bringBack = (bump: Bump): void => {
    undo(bump);
    onClose();
  };
  const rows = recalls.value.filter(({ orderId }, at, all) => all.findIndex((bump) => bump.orderId === orderId) === at);
  return (
    <Drawer title={messages().board.recall} onClose={onClose}>
      {rows.length === 0 && <p>{words.empty}</p>}
      <ul class="recalls">
        {rows.map((bump) => (
          <li key={bump.id}>
            <span>
              <strong>
                {tableName(bump.table)} #{bump.ticket}
              </strong>
              <small>
                {formatTime(bump.atMs)} · {messages().ticket.status[bump.moves[0]?.to ?? 'ready']}
              </small>
              <span>{bump.dishes?.join(', ')}</span>
            </span>
            <button type="button" aria-label={words.takeBack(bump.ticket)} onClick={() => bringBack(bump)}>
              {words.bringBack}
            </button>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

export const LegendDrawer = ({ onClose }: { onClose: () => void }) => (
  <Drawer title={messages().legend.title} onClose={onClose}>
    <Legend />
  </Drawer>
);

/** Which dishes are sold out, and how many portions are left. */
export function SoldOut({ client, onClose }: { client: Client; onClose: () => void }) {
  const words = messages().soldOut;
  const [items, setItems] = useState<readonly LiveItem[]>([]);
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    const live = client.liveMenu({ onChange: setItems });
    return live.close;
  }, [client]);

  async function change(item: LiveItem, available: boolean, portionsLeft: number | null): Promise<void> {
    setAsking(null);
    setFailure(null);
    try {
      await client.calls.setAvailability({ id: item.id, available, portions_left: portionsLeft });
    } catch (error) {
      setFailure(error);
    }
  }
  const shown = items.filter(({ name }) => normal(name).includes(normal(search)));
  return (
    <Drawer title={messages().board.soldOut} onClose={onClose}>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <input
        type="search"
        class="drawer-search"
        aria-label={words.search}
        placeholder={words.search}
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <p class="dishes-head" aria-hidden="true">
        <span>{words.portions}</span>
        <span>{words.onSale}</span>
      </p>
      <ul class="dishes">
        {shown.map((item) => (
          <li key={item.id}>
            {asking === item.id ? (
              <div class="dish-ask">
                <span>{words.confirm(item.name)}</span>
                <button type="button" class="dish-yes" onClick={() => void change(item, false, item.portions_left)}>
                  {words.confirmYes}
                </button>
                <button type="button" onClick={() => setAsking(null)}>
                  {words.cancel}
                </button>
              </div>
            ) : (
              <>
                <span class="dish-name">
                  {item.name}
                  {item.portions_left !== null && <small>{words.left(item.portions_left)}</small>}
                </span>
                <Portions item={item} onSet={(left) => void change(item, item.available, left)} />
                <button
                  type="button"
                  role="switch"
                  class="switch"
                  aria-checked={item.available}
                  aria-label={`${item.name}: ${item.available ? words.available : words.isSoldOut}`}
                  onClick={() => (item.available ? setAsking(item.id) : void change(item, true, item.portions_left))}
                >
                  <span />
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

function Portions({ item, onSet }: { item: LiveItem; onSet: (left: number | null) => void }) {
  const words = messages().soldOut;
  return (
    <input
      type="number"
      class="dish-portions"
      inputMode="numeric"
      min={0}
      max={9999}
      aria-label={`${item.name}: ${words.portions}`}
      placeholder="–"
      value={item.portions_left ?? ''}
      onChange={({ currentTarget: { value, valueAsNumber } }) => {
        if (value === '') onSet(null);
        else if (Number.isInteger(valueAsNumber) && valueAsNumber >= 0) onSet(valueAsNumber);
      }}
    />
  );
}

/** Without accents and case, so that "pao" finds "Pão de queijo". */
const normal = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
