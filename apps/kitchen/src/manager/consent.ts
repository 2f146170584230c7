import { CallFailure } from '@comanda/client';
import type { Answer, Client, Consent, ConsentRequest, Input } from '@comanda/client';
import { signal } from '@preact/signals';

type Details = NonNullable<Consent['authorization_details']>[number];
type AnswerConsent = (consent: Consent | null) => void;
/** What the dialog shows. `create`: this manager has no PIN yet, and makes one. */
export type ConsentStep =
  | { kind: 'closed' }
  | { kind: 'reading' }
  | { kind: 'pin'; triesLeft: number | null; answer: AnswerConsent }
  | { kind: 'create'; answer: AnswerConsent }
  | { kind: 'checking' };

export const consentStep = signal<ConsentStep>({ kind: 'closed' });
/** What the PIN is for: in words, or a deposit of this amount. */
export type Purpose =
  | string
  | { kind: 'deposit'; account: number; owner: string; amount: string; currency: Answer<'getAccount'>['currency'] };
export const consentPurpose = signal<Purpose>('');

/** The client's `onConsent`: asks in the dialog. */
export async function askConsent(client: Client, { refused, call, input }: ConsentRequest): Promise<Consent | null> {
  consentStep.value = { kind: 'reading' };
  const kind = refused ? 'pin' : await findStep(client);
  const triesLeft = (refused?.problem?.['attempts_remaining'] as number | undefined) ?? null;
  const consent = await new Promise<Consent | null>((answer) => {
    consentStep.value = kind === 'create' ? { kind, answer } : { kind, triesLeft, answer };
  });
  consentStep.value = consent ? { kind: 'checking' } : { kind: 'closed' };
  return consent && { ...consent, authorization_details: [detailsOf({ call, input })] };
}

/** What exactly the PIN is for: a token for it fits no other call. */
function detailsOf({ call, input }: Pick<ConsentRequest, 'call' | 'input'>): Details {
  if (call === 'createUser') {
    const { email, role } = input as Input<'createUser'>;
    return { type: 'user_management', email, role };
  }
  if (call === 'updateUser') {
    const { id, role, status, password } = input as Input<'updateUser'>;
    return {
      type: 'user_management',
      user_id: id,
      ...(role !== undefined && { role }),
      ...(status !== undefined && { status }),
      ...(password !== undefined && { sets_password: true }),
    };
  }
  const purpose = consentPurpose.value;
  // What is shown above the PIN: the server refuses the token for another account or amount.
  if (call === 'deposit' && typeof purpose !== 'string') {
    const { account, amount, currency } = purpose;
    return { type: 'account_deposit', account_id: account, amount, currency };
  }
  return { type: 'transaction_password_reset', user_id: (input as { id: number }).id };
}

async function findStep(client: Client): Promise<'pin' | 'create'> {
  const { status, blocked_until: until } = await client.calls.transactionPassword();
  if (status === 'blocked')
    throw new CallFailure('The PIN is blocked.', {
      code: 'transaction_password_blocked',
      outcome: 'none',
      problem: {
        type: '/problems/transaction_password_blocked',
        title: 'PIN blocked',
        status: 429,
        code: 'transaction_password_blocked',
        request_id: '',
        blocked_until: until ?? null,
      },
    });
  return status === 'absent' ? 'create' : 'pin';
}

/** Makes a call that needs the PIN. `purpose` says what it is for. */
export async function withConsent<T>(purpose: Purpose, call: () => Promise<T>): Promise<T> {
  consentPurpose.value = purpose;
  try {
    return await call();
  } finally {
    consentStep.value = { kind: 'closed' };
  }
}
