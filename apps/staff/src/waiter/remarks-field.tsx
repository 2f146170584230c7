import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { waiterMessages } from './messages.ts';
import { hasRemark, toggleRemark, usualRemarks } from './remarks.ts';
import './remarks-field.css';
import type { WaiterSession } from './waiter-session.ts';

type RemarksFieldProps = {
  session: Pick<WaiterSession, 'menu' | 'bills'>;
  dish: { dishId: number; name: string };
  remarks: string;
  onChange: (remarks: string) => void;
};

/** Asks for a dish's remarks: usual ones with one tap, others typed. */
export function RemarksField({
  session: { menu, bills },
  dish: { dishId, name },
  remarks,
  onChange,
}: RemarksFieldProps) {
  const words = waiterMessages().order;
  const dishes = menu.dishes.value ?? [];
  const dish = dishes.find(({ id }) => id === dishId);
  const usual = dish ? usualRemarks(dish, { orders: bills.all.value, dishes }) : [];
  return (
    <div class="wrap gap-3 waiter-remarks">
      {usual.length > 0 && (
        <div class="wrap gap-3" role="group" aria-label={words.usualRemarks}>
          {usual.map((part) => (
            <Chip key={part} pressed={hasRemark(remarks, part)} onClick={() => onChange(toggleRemark(remarks, part))}>
              {part}
            </Chip>
          ))}
        </div>
      )}
      <Field label={words.remarks(name)} value={remarks} maxLength={500} onInput={onChange} />
    </div>
  );
}
