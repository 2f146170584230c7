import { textKey } from './text-key.ts';

const isAscii = (text: string): boolean => /^[\u0021-\u007e]+$/.test(text);

/** Returns a domain in the form that DNS uses: Punycode in lower case [RFC 5890]. */
function asciiDomain(domain: string): string {
  if (isAscii(domain)) return domain.toLowerCase();
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain.toLowerCase(); // this isn't a valid domain, so no mailbox has this address
  }
}

/**
 * Returns the single form in which an e-mail address is stored and compared: in lower case, without full-width letters and
 * invisible characters, with its domain in Punycode. Mail systems may distinguish `Ana@` from `ana@`, but people do not.
 */
export function normalEmail(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@');
  return at === -1 ? textKey(text) : `${textKey(text.slice(0, at))}@${asciiDomain(text.slice(at + 1))}`;
}

/**
 * Returns true if even mail systems without RFC 6531 can send to this address: the part before the `@` has only ASCII characters.
 */
export const isSendable = (address: string): boolean => {
  const [local = ''] = normalEmail(address).split('@');
  return isAscii(local);
};
