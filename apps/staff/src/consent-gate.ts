import type { AskConsent } from '@comanda/client';

export type ConsentGate = {
  /** The client's `onConsent`. Nobody consents while no screen asks. */
  ask: AskConsent;
  /** From now on this screen asks for the PIN. Returns a function that ends it. */
  open: (ask: AskConsent) => () => void;
};

/** Between the client, which needs consent, and the screen that asks for it. */
export function createConsentGate(): ConsentGate {
  let screen: AskConsent | null = null;
  return {
    ask: async (request) => (screen ? screen(request) : null),
    open: (ask) => {
      screen = ask;
      return () => {
        if (screen === ask) screen = null;
      };
    },
  };
}
