import { textKey } from './text-key.ts';

const isAscii = (text: string): boolean => /^[\u0021-\u007e]+$/.test(text);

/** A domain as the DNS has it: Punycode, in lower case [RFC 5890]. */
function asciiDomain(domain: string): string {
  if (isAscii(domain)) return domain.toLowerCase();
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain.toLowerCase(); // no domain: nobody has this address
  }
}

/**
 * The one form of an e-mail address, in which it is stored and compared: without case, full-width letters and invisible
 * characters, and with its domain in Punycode. Mail systems may tell `Ana@` from `ana@`; people do not.
 */
export function normalEmail(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@');
  return at === -1 ? textKey(text) : `${textKey(text.slice(0, at))}@${asciiDomain(text.slice(at + 1))}`;
}

/** Whether a mail system that does not know RFC 6531 can send to it: before the `@` it is ASCII. */
export const isSendable = (address: string): boolean => {
  const [local = ''] = normalEmail(address).split('@');
  return isAscii(local);
};
