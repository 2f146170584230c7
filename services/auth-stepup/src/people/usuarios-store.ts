import type { Role } from '@comanda/contracts/endpoint';
import type { WithOutbox } from '@comanda/shared/messaging/outbox-store';
import mongoose from 'mongoose';
import type { Connection, Model } from 'mongoose';
import type { Status } from './user.ts';

/** `usuarios`, as the specification names its fields; what it does not name is in English. */
export type UsuarioDocument = WithOutbox & {
  usuarioID: number;
  nome: string;
  email: string | null;
  senhaHash: string | null;
  papel: Role;
  status: Status;
  mustChangePassword: boolean;
  passwordSetByOtherAt: Date | null;
  sessionEpoch: number;
  createdAt: Date;
  /** Grows with every change of the PIN, and whenever tokens given before must die. */
  pinVersion: number;
  pin: PinDocument | null;
  /** A manager's approval of a reset: gone once it is used. */
  pinReset: { expiresAt: Date } | null;
};
export type PinDocument = {
  /** Another for every PIN that was ever set. */
  id: string;
  hash: string;
  pepperId: string;
  createdAt: Date;
  /** Until when the last block lasts or lasted; null once a right PIN came after it. */
  blockedUntil: Date | null;
  blockedAt: Date | null;
  /** Wrong results in a row that ended in blocks. */
  failures: number;
};

const short = { type: String, maxlength: 255 } as const;
const pinSchema = new mongoose.Schema<PinDocument>(
  {
    id: { type: String, required: true },
    hash: { type: String, required: true },
    pepperId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    blockedUntil: { type: Date, default: null },
    blockedAt: { type: Date, default: null },
    failures: { type: Number, required: true },
  },
  { _id: false, strict: 'throw' },
);
const usuarioSchema = new mongoose.Schema<UsuarioDocument>(
  {
    usuarioID: { type: Number, required: true },
    nome: { ...short, required: true },
    email: { ...short, default: null },
    senhaHash: { ...short, default: null },
    papel: { type: String, enum: ['customer', 'waiter', 'manager'], required: true },
    status: { type: String, enum: ['active', 'disabled'], required: true },
    mustChangePassword: { type: Boolean, required: true },
    passwordSetByOtherAt: { type: Date, default: null },
    sessionEpoch: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    pinVersion: { type: Number, required: true },
    pin: { type: pinSchema, default: null },
    pinReset: { type: { expiresAt: Date }, default: null, _id: false },
    outbox: { type: [Object], default: [] },
    outboxClaim: { type: Object },
  },
  { collection: 'usuarios', versionKey: false, strict: 'throw' },
);
usuarioSchema.index({ usuarioID: 1 }, { unique: true });
// Guests have none.
usuarioSchema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $type: 'string' } } });

export type Usuarios = Model<UsuarioDocument>;

/** The collection of this connection; the same for every store that works on it. */
export const usuariosOf = (connection: Connection): Usuarios =>
  (connection.models['Usuario'] ?? connection.model('Usuario', usuarioSchema)) as unknown as Usuarios;
