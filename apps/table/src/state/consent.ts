import type { AskConsent } from '@comanda/client';

let asker: AskConsent | null = null;

/** Sets who asks: the account pages, which are loaded when they are opened. */
export function setConsentAsker(ask: AskConsent): void {
  asker = ask;
}
/** Without the account pages nobody is asked, and so nobody agrees. */
export const askConsent: AskConsent = async (request) => (asker ? asker(request) : null);
