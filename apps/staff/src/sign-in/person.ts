import { CallFailure, type Answer } from '@comanda/client/core';

/** A person who may sign in on this tablet. */
export type Person = Answer<'readTablet'>['people'][number];

/** Returns true if a manager has removed this tablet. */
export const isUnknownTablet = (error: unknown): boolean => error instanceof CallFailure && error.is('tablet_invalid');
