const purposes = ['tokens', 'receipts', 'consents'] as const;
/** The purpose of a key in the shared key set: to verify access and step-up tokens, transfer receipts, or authorizations. */
export type KeyPurpose = (typeof purposes)[number];

/**
 * Returns a public key's purpose, from its field `purpose`. Without this field, the key is for tokens. Null for an unknown
 * purpose: such a key verifies nothing. A key verifies only data for its own purpose.
 */
export const keyPurpose = ({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null =>
  purposes.find((each) => each === purpose) ?? null;
