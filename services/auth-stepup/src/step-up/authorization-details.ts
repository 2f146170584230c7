import { detailsDefects } from '@comanda/contracts/agreed-details';
import { problem } from '@comanda/contracts/problem';
import { authorizationDetails, detailsTypes, type AuthorizationDetails } from '@comanda/contracts/security';
import { normalizeEmail } from '../users/user.ts';

/** What means the same is the same text: amounts have two decimal places, e-mail addresses are as they are stored. */
const normalize = (details: AuthorizationDetails): AuthorizationDetails =>
  details.map((detail) => {
    if (detail.type === 'user_management')
      return { ...detail, ...(detail.email !== undefined && { email: normalizeEmail(detail.email) }) };
    if (!('amount' in detail)) return detail;
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
 * @throws 422 `authorization_details_invalid` if they are not of the endpoint's type, or required and missing
 */
export function readDetails({ endpointKey, details, required }: DetailsInput): AuthorizationDetails | null {
  if (!details) {
    if (required.includes(endpointKey))
      throw problem('authorization_details_invalid', {
        detail: '"authorization_details" is required for this "endpoint_key".',
      });
    return null;
  }
  const type = detailsTypes[endpointKey];
  if (details.some((each) => each.type !== type))
    throw problem('authorization_details_invalid', {
      detail: `"authorization_details" of this "endpoint_key" must have the type "${type}".`,
    });
  return normalize(details);
}

/** Whether a request does exactly what its token was issued for. */
export function matchesDetails(agreed: AuthorizationDetails, requested: unknown): boolean {
  const { value, error } = authorizationDetails.validate(requested, { convert: false });
  const [wanted, done] = [agreed[0], error ? undefined : normalize(value ?? [])[0]];
  return wanted !== undefined && done !== undefined && detailsDefects(wanted, done).length === 0;
}
