import type { LiveItem } from '@comanda/client/core';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { Ask } from '@comanda/ui/ask.tsx';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { Switch } from '@comanda/ui/switch.tsx';
import { useState } from 'preact/hooks';
import { dishesWith } from '../menu/option-use.ts';
import { drawerMessages } from './messages.ts';

type Props = {
  groups: readonly OptionGroup[];
  dishes: readonly LiveItem[];
  search: string;
  onChange: (group: OptionGroup, option: Option, available: boolean) => void;
};

/** All options by group. A switch takes an option off all its dishes at once. */
export function SoldOutOptions({ groups, dishes, search, onChange }: Props) {
  const words = drawerMessages().soldOut;
  const [asking, setAsking] = useState<number | null>(null);
  const found = groups
    .map((group) => ({
      group,
      options: group.options.filter(({ name, kitchen_name: short }) =>
        matches(`${group.name} ${name} ${short ?? ''}`, search),
      ),
    }))
    .filter(({ options }) => options.length > 0);
  return (
    <>
      {found.map(({ group, options }) => (
        <section key={group.id} aria-label={group.name}>
          <h3 class="wrap dishes-group">
            <bdi>{group.name}</bdi>
            <small>{words.inDishes(dishesWith(group.id, { dishes, groups }).length)}</small>
          </h3>
          <ul class="dishes">
            {options.map((option) => (
              <li key={option.id}>
                {asking === option.id ? (
                  <Ask
                    question={words.confirm(option.name)}
                    yes={words.confirmYes}
                    kind="danger"
                    onYes={() => onChange(group, option, false)}
                    onClose={() => setAsking(null)}
                  />
                ) : (
                  <>
                    <span class="column dish-name">
                      <bdi>{option.name}</bdi>
                      <OptionState option={option} dishes={dishes} />
                    </span>
                    <Switch
                      label={`${option.name}: ${option.available ? words.available : words.isSoldOut}`}
                      isOn={option.available}
                      onChange={(available) => (available ? onChange(group, option, true) : setAsking(option.id))}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Says that an option is sold out, or that the dish is of which it is a component. */
function OptionState({ option, dishes }: { option: Option; dishes: readonly LiveItem[] }) {
  const words = drawerMessages().soldOut;
  if (!option.available) return <small>{words.isSoldOut}</small>;
  const dish = option.item_id === null ? undefined : dishes.find(({ id }) => id === option.item_id);
  return dish && isSoldOut(dish) ? <small>{words.dishIsSoldOut}</small> : null;
}
