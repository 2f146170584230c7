import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useState } from 'preact/hooks';
import { reasonMessages } from './messages.ts';
import './reason-choice.css';

type Props = { of: 'cancellation' | 'refund'; reason: string; onChange: (reason: string) => void };

/** Why: one of the usual reasons, or one's own. */
export function ReasonChoice({ of, reason, onChange }: Props) {
  const { why, usual, other } = reasonMessages();
  /** Apart from the chosen one: who types more than a usual reason passes by it. */
  const [typed, setTyped] = useState('');
  const choose = (next: { reason: string; typed: string }): void => {
    setTyped(next.typed);
    onChange(next.reason);
  };
  return (
    <div class="reason-choice" role="group" aria-label={why}>
      <p>{why}</p>
      {usual[of].map((each) => (
        <Chip key={each} pressed={typed === '' && reason === each} onClick={() => choose({ reason: each, typed: '' })}>
          {each}
        </Chip>
      ))}
      <Field label={other} value={typed} maxLength={200} onInput={(text) => choose({ reason: text, typed: text })} />
    </div>
  );
}
