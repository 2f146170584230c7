import { messagesOf } from '@comanda/shared/messaging/new-message';

/** Creates an event from this service. Store it in the same write as the change that it reports. */
export const newMessage = messagesOf('/orders');
