import type { LiveItem } from '@comanda/client/core';
import { isSameName, oneOfEachKey } from '@comanda/contracts/text-key';
import { Icon } from '@comanda/ui/icon.tsx';
import { managerMessages } from '../messages.ts';
import { withLimit, type DraftLimit, type SettingsFault } from './settings-draft.ts';

type LimitsFieldProps = {
  limits: readonly DraftLimit[];
  dishes: readonly LiveItem[];
  faults: readonly SettingsFault[];
  onChange: (limits: readonly DraftLimit[]) => void;
};

/** After how many minutes the dishes of each category turn amber and are late. */
export function LimitsField({ limits, dishes, faults, onChange }: LimitsFieldProps) {
  const words = managerMessages().settings;
  const ofMenu = dishes.flatMap(({ category }) => category ?? []);
  const categories = oneOfEachKey([...ofMenu, ...limits.map(({ category }) => category)]);
  if (categories.length === 0) return <p class="dim">{words.noCategories}</p>;
  return (
    <>
      <table class="settings-limits">
        <thead>
          <tr>
            <td />
            <th scope="col">{words.amber}</th>
            <th scope="col">{words.late}</th>
          </tr>
        </thead>
        <tbody>
          {categories.map((category) => {
            const found = limits.find((each) => isSameName(each.category, category));
            const isWrong = faults.some((fault) => fault.field === 'limits' && isSameName(fault.category, category));
            const input = (part: 'amber' | 'late', label: string) => (
              <input
                class="field-input"
                inputMode="numeric"
                autocomplete="off"
                maxLength={3}
                aria-label={label}
                aria-invalid={isWrong ? true : undefined}
                value={found?.[part] ?? ''}
                onInput={({ currentTarget: { value } }) => onChange(withLimit(limits, { category, [part]: value }))}
              />
            );
            return (
              <tr key={category}>
                <th scope="row">{category}</th>
                <td>{input('amber', words.amberOf(category))}</td>
                <td>{input('late', words.lateOf(category))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {faults.map(
        (fault) =>
          fault.field === 'limits' && (
            <p key={fault.category} class="field-error">
              <Icon name="warning" size={20} />{' '}
              {fault.is === 'order' ? words.invalidOrder(fault.category) : words.invalidMinutes(fault.category)}
            </p>
          ),
      )}
    </>
  );
}
