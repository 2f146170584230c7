import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  reading: forms.loading,
  stillReading: 'Still loading… Check the Wi-Fi.',
};
