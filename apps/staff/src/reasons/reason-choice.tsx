import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useState } from 'preact/hooks';
import { reasonMessages } from './messages.ts';
import './reason-choice.css';

type Props = { of: 'cancellation' | 'refund' | 'remake'; reason: string; onChange: (reason: string) => void };

/** Lets the user select a common reason or type another one. */
export function ReasonChoice({ of, reason, onChange }: Props) {
  const { why, usual, other } = reasonMessages();
  /** The typed text is stored separately, because it may match a common reason while the user is still typing. */
  const [typed, setTyped] = useState('');
  const choose = (next: { reason: string; typed: string }): void => {
    setTyped(next.typed);
    onChange(next.reason);
  };
  return (
    <div class="wrap gap-2 reason-choice" role="group" aria-label={why}>
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
