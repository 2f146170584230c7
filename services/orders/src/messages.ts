import { messagesOf } from '@comanda/shared/messaging/new-message';

/** An event of this service, ready to be stored with the write that it tells of. */
export const newMessage = messagesOf('/orders');
