import type { Client, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { useState } from 'preact/hooks';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { Switch } from '@comanda/ui/switch.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { Drawer } from './drawer.tsx';
import './sold-out.css';

/** The drawer that lists which dishes are sold out and how many portions are left, and lets staff change both. */
export function SoldOut({ client, onClose }: { client: Client; onClose: () => void }) {
  const words = drawerMessages().soldOut;
  const { rows, isLoaded } = useCollection(client, menu);
  const items = rows.value;
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  /**
   * Changes a dish immediately, without waiting for responses about others. Only the changed field is sent, because this screen's
   * other values may be outdated.
   */
  async function change({ id }: LiveItem, touched: Partial<Availability>): Promise<void> {
    setAsking(null);
    setFailure(null);
    try {
      await client.calls.setAvailability({ id, ...touched });
    } catch (error) {
      setFailure(error);
    }
  }
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
      {!isLoaded.value && <p>{words.notRead}</p>}
      <ul class="dishes">
        {items
          .filter(({ name }) => matches(name, search))
          .map((item) => (
            <Dish
              key={item.id}
              item={item}
              isAsking={asking === item.id}
              onAsk={(isAsking) => setAsking(isAsking ? item.id : null)}
              onChange={(touched) => void change(item, touched)}
            />
          ))}
      </ul>
    </Drawer>
  );
}

type Availability = Pick<LiveItem, 'available' | 'portions_left'>;
type DishProps = {
  item: LiveItem;
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
  onChange: (to: Partial<Availability>) => void;
};

const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** One dish. Taking it off the menu needs a second tap to confirm; putting it back needs only one tap. */
function Dish({ item, isAsking, onAsk, onChange }: DishProps) {
  const words = drawerMessages().soldOut;
  const { name, portions_left: left } = item;
  const isOff = isSoldOut(item);
  if (isAsking)
    return (
      <li>
        <div class="dish-ask">
          <span>{words.confirm(name)}</span>
          {/* "Cancel" comes first, so that a double tap doesn't hit "Yes". */}
          <button type="button" ref={takeFocus} onClick={() => onAsk(false)}>
            {words.cancel}
          </button>
          <button type="button" class="dish-yes" onClick={() => onChange({ available: false })}>
            {words.confirmYes}
          </button>
        </div>
      </li>
    );
  return (
    <li>
      <span class="dish-name">
        {name}
        {left !== null && <small>{words.left(left)}</small>}
      </span>
      <Portions item={item} onSet={(portions) => onChange({ portions_left: portions })} />
      <Switch
        label={`${name}: ${isOff ? words.isSoldOut : words.available}`}
        isOn={!isOff}
        onChange={() =>
          isOff ? onChange({ available: true, ...(left === 0 && { portions_left: null }) }) : onAsk(true)
        }
      />
    </li>
  );
}

/** The field for a dish's portions. While someone types, changes from the feed don't replace the text. */
function Portions({ item, onSet }: { item: LiveItem; onSet: (left: number | null) => void }) {
  const words = drawerMessages().soldOut;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      type="text"
      class="dish-portions"
      inputMode="numeric"
      maxLength={4}
      aria-label={`${item.name}: ${words.portions}`}
      placeholder="–"
      value={typed ?? item.portions_left ?? ''}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => setTyped(null)}
      onChange={({ currentTarget: { value } }) => {
        if (/^\d*$/.test(value)) onSet(value === '' ? null : Number(value));
      }}
    />
  );
}
