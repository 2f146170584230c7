import { CallFailure } from '@comanda/client/core';
import { failureMessages } from './failure-messages.ts';
import type { en } from './messages/failures.en.ts';

/** A message about a failure: what happened, what the user can do, and the request id if the server responded with one. */
export type FailureWords = { happened: string; toDo: string; requestId?: string };

type Words = keyof typeof en;
const wordsByCode: Readonly<Record<string, Words>> = {
  authentication_required: 'signed_out',
  invalid_token: 'signed_out',
  invalid_refresh_token: 'signed_out',
  illegal_transition: 'conflict',
  version_mismatch: 'conflict',
  internal_error: 'service',
  bad_gateway: 'service',
  service_unavailable: 'service',
  gateway_timeout: 'service',
};

/**
 * Returns true if the Wi-Fi or mobile network wants the user to sign in first. The network may have sent its own page, a
 * redirect, or status 511 [RFC 6585].
 */
const isNetworkSignIn = (status: number): boolean => status < 400 || status === 511;

function chooseWords({ code, outcome, problem, status }: CallFailure): Words {
  const words = failureMessages();
  if (status !== undefined) return isNetworkSignIn(status) ? 'networkSignIn' : 'inBetween';
  if (code === 'unreachable') return 'unreachable';
  if (outcome === 'unknown') return 'unreachableUnknown';
  const mapped = wordsByCode[code] ?? code;
  if (mapped in words) return mapped as Words;
  return (problem?.status ?? 0) >= 500 ? 'service' : 'other';
}

/**
 * Returns the message for a failed call.
 * @throws any error that is not a CallFailure, because it is a defect in the app
 */
export function failureWords(error: unknown): FailureWords {
  if (!(error instanceof CallFailure)) throw error;
  const [happened = '', toDo = ''] = failureMessages()[chooseWords(error)];
  const requestId = error.problem?.request_id;
  const status = String(error.status);
  return { happened: happened.replace('{status}', status), toDo, ...(requestId !== undefined && { requestId }) };
}
