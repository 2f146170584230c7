import type { CallKind, CallMethod } from '@comanda/contracts/calls';
import '@comanda/ui/field.css';
import { formatTime } from '@comanda/ui/format.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { callMessages } from './messages.ts';
import './call-sheet.css';
import type { NewCall } from './calls.ts';

/** Shows the ways to call a waiter, and the calls that are open. */
export function CallSheet({ onClose }: { onClose: () => void }) {
  const words = callMessages();
  const { calls } = useGuest();
  const failure = calls.failure.value;
  const { navigate } = useRouter();
  const [asked, setAsked] = useState<'bill' | 'other' | null>(null);
  const make = async (call: NewCall): Promise<void> => {
    if (await calls.make(call)) onClose();
  };
  // A guest who pays on this phone needs no waiter.
  const payHere = (): void => {
    onClose();
    navigate({ page: 'pay' });
  };
  const toggle = (kind: 'bill' | 'other'): void => setAsked(asked === kind ? null : kind);
  // The server treats a second call of the same kind as the same call.
  const isWaiting = (kind: CallKind): boolean => calls.waiting.value.some((call) => call.kind === kind);
  return (
    <div class="stack gap-2">
      <WaitingCalls />
      {failure !== null && (
        <p class="call-failed" role="alert">
          {words.failures[failure]}
        </p>
      )}
      {!isWaiting('waiter') && (
        <button type="button" class="call-row" onClick={() => void make({ kind: 'waiter' })}>
          {words.waiter}
        </button>
      )}
      {!isWaiting('bill') && (
        <AskingRow label={words.bill} isOpen={asked === 'bill'} onToggle={() => toggle('bill')}>
          <HowToPay onChoose={(method) => (method === 'account' ? payHere() : void make({ kind: 'bill', method }))} />
        </AskingRow>
      )}
      {!isWaiting('other') && (
        <AskingRow label={words.other} isOpen={asked === 'other'} onToggle={() => toggle('other')}>
          <SomethingElse onSend={(note) => void make({ kind: 'other', note })} />
        </AskingRow>
      )}
    </div>
  );
}

type AskingRowProps = { label: string; isOpen: boolean; onToggle: () => void; children: ComponentChildren };

/** A row that expands for more details before a waiter is called. */
const AskingRow = ({ label, isOpen, onToggle, children }: AskingRowProps) => (
  <>
    <button type="button" class="call-row" aria-expanded={isOpen} onClick={onToggle}>
      {label}
    </button>
    {isOpen && children}
  </>
);

/** Shows the open calls: how long each has been open, or that a waiter is coming. A tap on a call cancels it. */
function WaitingCalls() {
  const words = callMessages();
  const { calls } = useGuest();
  return (
    <div role="status" aria-label={messages().call} class="stack gap-2 call-states">
      {calls.waiting.value.map((call) => (
        <p key={call.id} class="row wrap gap-2 call-state">
          <span>{call.status === 'taken' ? words.coming : words.called(formatTime(call.created_at))}</span>
          <button type="button" onClick={() => void calls.takeBack(call)}>
            {words.takeBack(words[call.kind])}
          </button>
        </p>
      ))}
      {calls.isBusy.value && <p class="row wrap gap-2 call-state">{words.calling}</p>}
    </div>
  );
}

// The contract has the same list, but importing the contract would add a validation library that is larger than this app.
const callMethods = ['cash', 'card', 'account'] as const satisfies readonly CallMethod[];

const HowToPay = ({ onChoose }: { onChoose: (method: CallMethod) => void }) => (
  <div class="wrap gap-2 call-choices" role="group" aria-label={callMessages().howToPay}>
    {callMethods.map((method) => (
      <button type="button" key={method} onClick={() => onChoose(method)}>
        {callMessages().methods[method]}
      </button>
    ))}
  </div>
);

function SomethingElse({ onSend }: { onSend: (note: string) => void }) {
  const words = callMessages();
  const [note, setNote] = useState('');
  return (
    <form
      class="wrap gap-2 call-note"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '') onSend(note.trim());
      }}
    >
      <input
        class="field-input"
        aria-label={words.otherHint}
        placeholder={words.otherHint}
        maxLength={100}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
      />
      <button type="submit" aria-disabled={note.trim() === ''}>
        {words.send}
      </button>
    </form>
  );
}
