import { messagesOf } from '@comanda/shared/messaging/new-message';

/** Creates an event of this service, stored by the write that it reports. */
export const newMessage = messagesOf('/orders');
