import type { CallFailure, Consent, ConsentRequest, Input, PendingCall, SettledCall } from '@comanda/client';
import { batch, signal } from '@preact/signals';
import { language } from '@comanda/ui/language.ts';
import type { Transfer } from './accounts.ts';

export type TransferInput = Required<
  Pick<Input<'transferMoney'>, 'from_account_id' | 'to_account_id' | 'amount' | 'currency'>
> &
  Pick<Input<'transferMoney'>, 'description'>;
/** One transfer that a person means, and its idempotency key. */
export type Intent = { key: string; input: TransferInput };
export type SettledTransfer = Intent & Pick<SettledCall, 'outcome'>;

/**
 * How far the transfer is. `checking`: the server checks whether it is possible. `consent`: the user enters the PIN. `sending`:
 * with consent. `asking`: there was no answer, and the page asks the server what happened.
 */
type Stage = 'form' | 'checking' | 'consent' | 'sending' | 'asking';

export const isTransfer = <C extends PendingCall>(pending: C): pending is C & Intent =>
  pending.call === 'transferMoney';

export type TransferState = ReturnType<typeof createTransferState>;

/** What the pages show of a transfer. */
export function createTransferState() {
  const stage = signal<Stage>('form');
  const intent = signal<Intent | null>(null);
  /** What the server asks consent for, and how to answer. */
  const consentRequest = signal<{ request: ConsentRequest; answer: (consent: Consent | null) => void } | null>(null);
  /** Why the last one was refused, and the field that it is about. */
  const refusal = signal<{ failure: CallFailure; field?: 'to' | 'amount' } | null>(null);
  /** The server has answered that this one was not posted. It can be sent again with its key. */
  const notSent = signal<Intent | null>(null);
  /** This one had no answer, and the server has answered later that it was posted. */
  const found = signal<Transfer | null>(null);
  /** The last one that was posted. */
  const lastSent = signal<Transfer | null>(null);
  /** How often the page has asked the server what happened, and when, by this device's clock. */
  const questions = signal({ count: 0, at: 0 });
  /** What is typed in the form. */
  const draft = signal({ to: '', amount: '', description: '' });

  const begin = (next: Intent, at: 'checking' | 'asking'): void =>
    batch(() => {
      intent.value = next;
      stage.value = at;
    });
  const end = (): void =>
    batch(() => {
      consentRequest.value = null;
      intent.value = null;
      stage.value = 'form';
    });
  const clearDraft = (): void => {
    draft.value = { to: '', amount: '', description: '' };
  };
  /** What the user types. What was refused before does not count any more. */
  const changeDraft = (part: Partial<typeof draft.value>): void =>
    batch(() => {
      draft.value = { ...draft.value, ...part };
      refusal.value = null;
    });
  /** A notice about a transfer that was posted, on pages other than its own. */
  const setFound = (transfer: Transfer | null): void => {
    found.value = transfer;
  };
  /** After a reload the form is empty; else it has what was typed. */
  function fillDraft({ input }: Intent): void {
    if (draft.peek().to !== '') return;
    const { to_account_id: to, amount, description = '' } = input;
    draft.value = {
      to: String(to),
      amount: language.value === 'pt-BR' ? amount.replace('.', ',') : amount,
      description,
    };
  }
  return {
    stage,
    intent,
    consentRequest,
    refusal,
    notSent,
    found,
    lastSent,
    questions,
    draft,
    begin,
    end,
    clearDraft,
    changeDraft,
    setFound,
    fillDraft,
  };
}
