import { CallFailure } from '@comanda/client/core';
import { messagesOf } from './language.ts';
import { en } from './messages/read-failures.en.ts';
import { ptBr } from './messages/read-failures.pt-br.ts';

/** A message about a failure: what happened, what the user can do, and the request id if the server responded with one. */
export type FailureWords = { happened: string; toDo: string; requestId?: string };
type Messages = typeof en & Readonly<Record<string, readonly string[]>>;

/** The messages for data that could not be loaded. They have their own file, because the guests' first load needs no others. */
export const readFailureMessages = messagesOf({ en, 'pt-BR': ptBr });

/** The message for a code that shares one with other codes. */
const messageByCode: Readonly<Record<string, string>> = {
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

function chooseMessage({ code, outcome, problem, status }: CallFailure, messages: Messages): readonly string[] {
  if (status !== undefined) return isNetworkSignIn(status) ? messages.networkSignIn : messages.inBetween;
  if (code === 'unreachable') return messages.unreachable;
  if (outcome === 'unknown') return messages.unreachableUnknown;
  const own = messages[messageByCode[code] ?? code];
  return own ?? ((problem?.status ?? 0) >= 500 ? messages.service : messages.other);
}

/**
 * Returns the message for a failed call, out of these messages.
 * @throws any error that is not a CallFailure, because it is a defect in the app
 */
export function wordsOf(error: unknown, messages: Messages): FailureWords {
  if (!(error instanceof CallFailure)) throw error;
  const [happened = '', toDo = ''] = chooseMessage(error, messages);
  const requestId = error.problem?.request_id;
  const status = String(error.status);
  return { happened: happened.replace('{status}', status), toDo, ...(requestId !== undefined && { requestId }) };
}

/**
 * Returns the message for data that could not be loaded.
 * @throws any error that is not a CallFailure, because it is a defect in the app
 */
export const readFailureWords = (error: unknown): FailureWords => wordsOf(error, readFailureMessages());
