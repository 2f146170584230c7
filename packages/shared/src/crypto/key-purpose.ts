const purposes = ['tokens', 'receipts', 'consents'] as const;
/** What a key in the shared key set is for: access and step-up tokens, transfer receipts, or authorizations. */
export type KeyPurpose = (typeof purposes)[number];

/**
 * Returns the purpose of the public key `jwk`, from its field `purpose`. A key without this field is for tokens. For any other
 * value, returns null: the key verifies nothing. A key verifies only data for its own purpose.
 */
export const keyPurpose = ({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null =>
  purposes.find((each) => each === purpose) ?? null;
