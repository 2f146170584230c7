import type { OrderStatus } from '@comanda/contracts/orders';
import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { reasonMessages } from './messages.ts';
import './reason-choice.css';

/** Once somebody has begun to cook it, staff say why a dish is cancelled. */
export const needsReason = (status: OrderStatus): boolean => status !== 'received' && status !== 'cancelled';

type Props = { reason: string; onChange: (reason: string) => void };

/** Why: one of the usual reasons, or one's own. */
export function ReasonChoice({ reason, onChange }: Props) {
  const { why, usual, other } = reasonMessages();
  const isUsual = usual.includes(reason);
  return (
    <div class="reason-choice" role="group" aria-label={why}>
      <p>{why}</p>
      {usual.map((each) => (
        <Chip key={each} pressed={reason === each} onClick={() => onChange(each)}>
          {each}
        </Chip>
      ))}
      <Field label={other} value={isUsual ? '' : reason} maxLength={200} onInput={onChange} />
    </div>
  );
}
