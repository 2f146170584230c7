import {
  CallFailure,
  detailsOfCall,
  type Answer,
  type Client,
  type Consent,
  type ConsentRequest,
} from '@comanda/client';
import { batch, signal } from '@preact/signals';

export type Details = NonNullable<ConsentRequest['details']>;
type AnswerConsent = (consent: Consent | null) => void;
/** What the dialog shows. `create`: this manager has no PIN yet, and creates one. */
export type ConsentStep =
  | { kind: 'closed' }
  | { kind: 'reading'; answer: AnswerConsent }
  | { kind: 'pin'; triesLeft: number | null; answer: AnswerConsent }
  | { kind: 'create'; answer: AnswerConsent }
  | { kind: 'checking' };
/**
 * What the PIN is for: in words of the language that the page has then, a deposit into the account of this owner, or what is set of a dish, which has this name so
 * far; null: a new one.
 */
export type Purpose =
  | (() => string)
  | { kind: 'deposit'; owner: string; currency: Answer<'getAccount'>['currency'] }
  | { kind: 'dish'; name: string | null; currency: string };
export type ManagerConsent = ReturnType<typeof openConsent>;

/** The dialog that asks for the PIN. */
export function openConsent({ calls }: Pick<Client, 'calls'>) {
  const step = signal<ConsentStep>({ kind: 'closed' });
  const purpose = signal<Purpose>(() => '');
  /** What exactly the step-up token will be for. */
  const details = signal<Details | null>(null);
  return {
    step,
    purpose,
    details,
    /** Asks for the PIN, for the call that needs it. */
    ask: async (request: ConsentRequest): Promise<Consent | null> => {
      const { refused } = request;
      const agreed = detailsFor(request, purpose.value);
      details.value = agreed;
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
      return consent && { ...consent, authorization_details: [agreed] };
    },
    /** Makes a call that needs the PIN. `of` says what it is for. */
    run: async <T>(of: Purpose, call: () => Promise<T>): Promise<T> => {
      batch(() => {
        purpose.value = of;
        details.value = null;
      });
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

/**
 * What the call does. A deposit that an earlier release has begun does not say its currency: it is that of the account.
 * @throws Error for a call that does not say all of what it does: nobody consents to that
 */
function detailsFor({ call, input, details }: ConsentRequest, purpose: Purpose): Details {
  const known = typeof purpose === 'object' && purpose.kind === 'deposit' ? { currency: purpose.currency } : {};
  const complete = details ?? detailsOfCall(call, { ...known, ...input });
  if (!complete) throw new Error(`${call} does not say all of what the PIN is for`);
  return complete;
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
