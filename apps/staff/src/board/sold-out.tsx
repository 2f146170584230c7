import type { Client, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { optionGroups } from '@comanda/client/collections/option-groups';
import { useState } from 'preact/hooks';
import { Ask } from '@comanda/ui/ask.tsx';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { Switch } from '@comanda/ui/switch.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { Drawer } from './drawer.tsx';
import { SoldOutOptions } from './sold-out-options.tsx';
import './sold-out.css';

/** The drawer that lists which dishes and options are sold out and how many portions are left, and lets staff change both. */
export function SoldOut({ client, onClose }: { client: Client; onClose: () => void }) {
  const words = drawerMessages().soldOut;
  const { rows, isLoaded } = useCollection(client, menu);
  const items = rows.value;
  const groups = useCollection(client, optionGroups).rows.value;
  const [isOptions, setIsOptions] = useState(false);
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  /**
   * Makes a change immediately, without waiting for responses about others. Only the changed field is sent, because this screen's
   * other values may be outdated.
   */
  async function change(call: Promise<unknown>): Promise<void> {
    setFailure(null);
    try {
      await call;
    } catch (error) {
      setFailure(error);
    }
  }
  return (
    <Drawer title={messages().board.soldOut} onClose={onClose}>
      {groups.length > 0 && (
        <div class="dishes-tabs">
          <Chip pressed={!isOptions} onClick={() => setIsOptions(false)}>
            {words.dishes}
          </Chip>
          <Chip pressed={isOptions} onClick={() => setIsOptions(true)}>
            {words.options}
          </Chip>
        </div>
      )}
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <input
        type="search"
        class="drawer-search"
        aria-label={isOptions ? words.searchOptions : words.search}
        placeholder={isOptions ? words.searchOptions : words.search}
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <p class="dishes-head" aria-hidden="true">
        {!isOptions && <span>{words.portions}</span>}
        <span>{drawerMessages().soldOut.available}</span>
      </p>
      {!isLoaded.value && <p>{words.notRead}</p>}
      {isOptions ? (
        <SoldOutOptions
          {...{ groups, search }}
          dishes={items}
          onChange={({ id }, { id: option_id }, available) =>
            void change(client.calls.setOptionAvailability({ id, option_id, available }))
          }
        />
      ) : (
        <ul class="dishes">
          {items
            .filter(({ name, kitchen_name: short }) => matches(`${name} ${short ?? ''}`, search))
            .map((item) => (
              <li key={item.id}>
                <Dish
                  item={item}
                  isAsking={asking === item.id}
                  onAsk={(isAsking) => setAsking(isAsking ? item.id : null)}
                  onChange={(touched) => void change(client.calls.setAvailability({ id: item.id, ...touched }))}
                />
              </li>
            ))}
        </ul>
      )}
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

/** One dish. Taking it off the menu needs a second tap to confirm; putting it back needs only one tap. */
function Dish({ item, isAsking, onAsk, onChange }: DishProps) {
  const words = drawerMessages().soldOut;
  const { name, portions_left: left } = item;
  const isOff = isSoldOut(item);
  if (isAsking)
    return (
      <Ask
        question={words.confirm(name)}
        yes={words.confirmYes}
        kind="danger"
        onYes={() => onChange({ available: false })}
        onClose={() => onAsk(false)}
      />
    );
  return (
    <>
      <span class="column dish-name">
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
    </>
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
