import {
  CallFailure,
  type Answer,
  type CallName,
  type Client,
  type Consent,
  type ConsentRequest,
  type Input,
  type SensitiveCall,
} from '@comanda/client';
import { signal } from '@preact/signals';

type Details = NonNullable<Consent['authorization_details']>[number];
type AnswerConsent = (consent: Consent | null) => void;
/** What the dialog shows. `create`: this manager has no PIN yet, and creates one. */
export type ConsentStep =
  | { kind: 'closed' }
  | { kind: 'reading'; answer: AnswerConsent }
  | { kind: 'pin'; triesLeft: number | null; answer: AnswerConsent }
  | { kind: 'create'; answer: AnswerConsent }
  | { kind: 'checking' };
/** What the PIN is for: in words, or a deposit of this amount. */
export type Purpose =
  | string
  | { kind: 'deposit'; account: number; owner: string; amount: string; currency: Answer<'getAccount'>['currency'] };
export type ManagerConsent = ReturnType<typeof openConsent>;

/** The dialog that asks for the PIN. */
export function openConsent({ calls }: Pick<Client, 'calls'>) {
  const step = signal<ConsentStep>({ kind: 'closed' });
  const purpose = signal<Purpose>('');
  return {
    step,
    purpose,
    /** Asks for the PIN, for the call that needs it. */
    ask: async ({ refused, call, input }: ConsentRequest): Promise<Consent | null> => {
      const triesLeft = refused?.is('transaction_password_invalid') ? refused.problem.attempts_remaining : null;
      const consent = await new Promise<Consent | null>((answer, fail) => {
        const reading: ConsentStep = { kind: 'reading', answer };
        const show = (kind: 'pin' | 'create'): void => {
          if (step.value !== reading) return;
          step.value = kind === 'create' ? { kind, answer } : { kind, triesLeft, answer };
        };
        step.value = reading;
        if (refused) show('pin');
        else findStep(calls).then(show, fail);
      });
      step.value = consent ? { kind: 'checking' } : { kind: 'closed' };
      if (!consent) return null;
      if (!isManagersCall(call)) throw new Error(`${call} is not a call of managers`);
      return { ...consent, authorization_details: [detailsFor(call, input, purpose.value)] };
    },
    /** Makes a call that needs the PIN. `of` says what it is for. */
    run: async <T>(of: Purpose, call: () => Promise<T>): Promise<T> => {
      purpose.value = of;
      try {
        return await call();
      } finally {
        step.value = { kind: 'closed' };
      }
    },
    /** Nobody consents to a call that still waits. */
    close: (): void => {
      const { kind } = step.value;
      if (kind === 'reading' || kind === 'pin' || kind === 'create') step.value.answer(null);
    },
  };
}

/** Customers transfer money and pay bills, and managers do not do it here. */
type ManagersCall = Exclude<SensitiveCall, 'transferMoney' | 'payBillFromAccount'>;
/** What exactly the PIN is for: a token for it fits no other call. A call that is not here does not compile. */
const detailsOf: { readonly [N in ManagersCall]: (input: Input<N>, purpose: Purpose) => Details | null } = {
  createUser: ({ email, role }) => ({ type: 'user_management', email, role }),
  updateUser: ({ id, role, status, password }) => ({
    type: 'user_management',
    user_id: id,
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(password !== undefined && { sets_password: true }),
  }),
  approveTransactionPasswordReset: ({ id }) => ({ type: 'transaction_password_reset', user_id: id }),
  refundBillPaymentToAccount: ({ payment_id, amount, currency }) => ({
    type: 'bill_refund',
    payment_id,
    amount,
    currency,
  }),
  // What is shown above the PIN: the server refuses the token for another account or amount.
  deposit: (_input, purpose) => {
    if (typeof purpose === 'string') return null;
    const { account, amount, currency } = purpose;
    return { type: 'account_deposit', account_id: account, amount, currency };
  },
};

const isManagersCall = (call: CallName): call is ManagersCall => Object.hasOwn(detailsOf, call);

/** @throws Error for a call that says nothing of what it does */
function detailsFor(call: ManagersCall, input: unknown, purpose: Purpose): Details {
  const build = detailsOf[call] as (input: unknown, purpose: Purpose) => Details | null;
  const details = build(input, purpose);
  if (!details) throw new Error(`${call} needs a purpose that says what the PIN is for`);
  return details;
}

async function findStep(calls: Client['calls']): Promise<'pin' | 'create'> {
  const { status, blocked_until: until } = await calls.transactionPassword();
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
