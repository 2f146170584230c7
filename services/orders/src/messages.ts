import { messagesOf } from '@comanda/shared/messaging/new-message';

/** Creates an event from this service. It is stored together with the change that it reports. */
export const newMessage = messagesOf('/orders');
