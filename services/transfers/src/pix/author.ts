import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Author } from './pix-receipt.ts';

export const authorOf = ({ userId: id, name, role }: Caller): Author => ({ id, name, role });
