import { CallFailure, type Answer } from '@comanda/client';

/** Somebody who may sign in on this tablet. */
export type Person = Answer<'readTablet'>['people'][number];

/** Whether a manager has removed this tablet. */
export const isUnknownTablet = (error: unknown): boolean => error instanceof CallFailure && error.is('tablet_invalid');
