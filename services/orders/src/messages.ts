import { messagesOf } from '@comanda/shared/messaging/new-message';

/** Creates an event of this service, to be stored by the write that it reports. */
export const newMessage = messagesOf('/orders');
