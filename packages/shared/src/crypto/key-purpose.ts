const purposes = ['tokens', 'receipts', 'consents'] as const;
/** The purpose of a key in the shared key set: access and step-up tokens, transfer receipts, or authorizations. */
export type KeyPurpose = (typeof purposes)[number];

/**
 * Returns the purpose of a public key from its `purpose` field. Without this field, the key is for tokens. Returns null for an
 * unknown purpose: such a key verifies nothing. Each key verifies only data for its own purpose.
 */
export const keyPurpose = ({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null =>
  purposes.find((each) => each === purpose) ?? null;
