import { detailsDefects, normalDetails, type AnyDetails } from '@comanda/contracts/agreed-details';
import { problem } from '@comanda/contracts/problem';
import { authorizationDetails, stepUpKeys, type AuthorizationDetails } from '@comanda/contracts/step-up';

type DetailsInput = {
  endpointKey: string;
  details: AuthorizationDetails | undefined;
  /** Endpoint keys whose tokens must have details, although the contracts make details optional. */
  required: readonly string[];
};

/**
 * Returns the normalized details for a new token; null if there are none.
 * @throws 422 `authorization_details_invalid` if the details do not match the endpoint's type, or are required and missing
 */
export function readDetails({ endpointKey, details, required }: DetailsInput): AuthorizationDetails | null {
  const declared = stepUpKeys.get(endpointKey);
  if (!details) {
    if (declared?.needsDetails || required.includes(endpointKey))
      throw problem('authorization_details_invalid', {
        detail: '"authorization_details" is required for this "endpoint_key".',
      });
    return null;
  }
  if (details.some(({ type }) => type !== declared?.type))
    throw problem('authorization_details_invalid', {
      detail: `"authorization_details" of this "endpoint_key" must have the type "${declared?.type}".`,
    });
  return details.map(normalDetails);
}

type Comparison = { endpointKey: string; agreed: AuthorizationDetails; requested: unknown };

/** Returns true if a request does exactly what its token was issued for. */
export function matchesDetails({ endpointKey, agreed, requested }: Comparison): boolean {
  const { value, error } = authorizationDetails.validate(requested, { convert: false });
  const [wanted, done]: readonly (AnyDetails | undefined)[] = [agreed[0], error ? undefined : value?.[0]];
  const rules = stepUpKeys.get(endpointKey)?.rules ?? [];
  return wanted !== undefined && done !== undefined && detailsDefects({ agreed: wanted, done, rules }).length === 0;
}
