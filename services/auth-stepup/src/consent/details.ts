import { isDeepStrictEqual } from 'node:util';
import { authorizationDetails, detailsTypes } from '@comanda/contracts/security';
import type { AuthorizationDetails } from '@comanda/contracts/security';
import { problem } from '@comanda/contracts/problems';

const misplaced = (detail: string) =>
  problem('validation_failed', { errors: [{ pointer: '/authorization_details', detail }] });

/** One form for one amount: two places. */
const normal = (details: AuthorizationDetails): AuthorizationDetails =>
  details.map((each) => {
    const [whole = '', cents = ''] = each.amount.split('.');
    return { ...each, amount: `${whole}.${cents.padEnd(2, '0')}` };
  });

/**
 * The details that a token is to be bound to, in one form.
 * @throws 400 where they are not of the endpoint's type, or are missing where `required` names the endpoint
 */
export function agreedDetails(
  endpointKey: string,
  details: AuthorizationDetails | undefined,
  required: readonly string[],
): AuthorizationDetails | null {
  if (!details) {
    if (required.includes(endpointKey)) throw misplaced('is required for this endpoint_key');
    return null;
  }
  if (details.some(({ type }) => type !== detailsTypes[endpointKey])) throw misplaced('is not of this endpoint_key');
  return normal(details);
}

/** Whether a call does what its token was given for, nothing less and nothing more. */
export function isAsAgreed(agreed: AuthorizationDetails, done: unknown): boolean {
  const { value, error } = authorizationDetails.validate(done, { convert: false });
  return !error && value !== undefined && isDeepStrictEqual(normal(value), agreed);
}
