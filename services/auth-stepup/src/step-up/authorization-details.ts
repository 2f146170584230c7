import { isDeepStrictEqual } from 'node:util';
import { problem } from '@comanda/contracts/problem';
import { authorizationDetails, detailsTypes } from '@comanda/contracts/security';
import type { AuthorizationDetails } from '@comanda/contracts/security';

const invalidDetails = (detail: string) =>
  problem('validation_failed', { errors: [{ pointer: '/authorization_details', detail }] });

/** Amounts with two decimal places, so that equal amounts are equal texts. */
const normalize = (details: AuthorizationDetails): AuthorizationDetails =>
  details.map((detail) => {
    const [whole = '', cents = ''] = detail.amount.split('.');
    return { ...detail, amount: `${whole}.${cents.padEnd(2, '0')}` };
  });

type DetailsInput = {
  endpointKey: string;
  details: AuthorizationDetails | undefined;
  /** Endpoint keys whose tokens must have details. */
  required: readonly string[];
};

/**
 * The normalized details of a new token; null if it has none.
 * @throws 400 `validation_failed` if they are not of the endpoint's type, or required and missing
 */
export function readDetails({ endpointKey, details, required }: DetailsInput): AuthorizationDetails | null {
  if (!details) {
    if (required.includes(endpointKey)) throw invalidDetails('is required for this endpoint_key');
    return null;
  }
  if (details.some(({ type }) => type !== detailsTypes[endpointKey]))
    throw invalidDetails('does not belong to this endpoint_key');
  return normalize(details);
}

/** Whether a request does exactly what its token was issued for. */
export function matchesDetails(agreed: AuthorizationDetails, requested: unknown): boolean {
  const { value, error } = authorizationDetails.validate(requested, { convert: false });
  return !error && value !== undefined && isDeepStrictEqual(normalize(value), agreed);
}
