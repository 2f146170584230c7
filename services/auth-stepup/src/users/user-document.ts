import { roles, type Role } from '@comanda/contracts/endpoint';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { statuses, type Invitation, type PasswordSetByOther, type Status, type User, type UserChange } from './user.ts';

/** A PIN in its user's document. */
export type PinDocument = {
  id: string;
  hash: string;
  pepper_id: string;
  /** True if the hash contains the user's id. Missing in PINs that were stored before this field existed. */
  is_bound_to_user?: boolean | null;
  created_at: Date;
  blocked_until: Date | null;
  blocked_at: Date | null;
  failures: number;
  wrong: number;
  guesses: number;
};

/** A tablet PIN in its user's document. The user's id is part of the hash. */
type TabletPinDocument = { id: string; hash: string; pepper_id: string; created_at: Date };

type PasswordSetByOtherDocument = { at: Date; by: number; replaced_own: boolean };
type InvitationDocument = { hash: string | null; by: number; ends_at: Date };
type PinResetDocument = { expires_at: Date };

/** A document in `usuarios`. The data dictionary defines the Portuguese names and `email`. */
export type UserDocument = WithOutbox & {
  usuarioID: number;
  nome: string;
  email: string;
  senhaHash: string;
  wrong_passwords: number;
  papel: Role;
  status: Status;
  must_change_password: boolean;
  password_set_by_other: PasswordSetByOtherDocument | null;
  /** The latest invitation. Absent in users from the first release; null if there is none or it was accepted. */
  invitation?: InvitationDocument | null;
  session_epoch: number;
  created_at: Date;
  pin_version: number;
  pin: PinDocument | null;
  /** The tablet PIN; absent or null if the user has none. */
  tablet_pin?: TabletPinDocument | null;
  /** A manager's approval for a PIN reset; null after the reset. */
  pin_reset: PinResetDocument | null;
  /**
   * A random value, replaced whenever this manager changes a user, so that the write conflicts with any change to this manager.
   */
  manager_lock: string | null;
};

const pinSchema = embeddedSchema<PinDocument>({
  id: { type: String, required: true },
  hash: { type: String, required: true },
  pepper_id: { type: String, required: true },
  is_bound_to_user: { type: Boolean },
  created_at: { type: Date, required: true },
  blocked_until: { type: Date },
  blocked_at: { type: Date },
  failures: { type: Number, required: true },
  wrong: { type: Number, required: true },
  guesses: { type: Number, required: true },
});
const passwordSetByOtherSchema = embeddedSchema<PasswordSetByOtherDocument>({
  at: { type: Date, required: true },
  by: { type: Number, required: true },
  replaced_own: { type: Boolean, required: true },
});
const shortText = { type: String, required: true, maxlength: 255 } as const;

export const userSchema = collectionSchema<UserDocument>('usuarios', {
  usuarioID: { type: Number, required: true, min: 1 },
  nome: shortText,
  email: shortText,
  senhaHash: shortText,
  wrong_passwords: { type: Number, required: true, min: 0 },
  papel: { type: String, required: true, enum: roles },
  status: { type: String, required: true, enum: statuses },
  must_change_password: { type: Boolean, required: true },
  password_set_by_other: { type: passwordSetByOtherSchema },
  invitation: {
    type: embeddedSchema<InvitationDocument>({
      hash: { type: String, maxlength: 64 },
      by: { type: Number, required: true },
      ends_at: { type: Date, required: true },
    }),
  },
  session_epoch: { type: Number, required: true },
  created_at: { type: Date, required: true },
  pin_version: { type: Number, required: true },
  pin: { type: pinSchema },
  tablet_pin: {
    type: embeddedSchema<TabletPinDocument>({
      id: { type: String, required: true },
      hash: { type: String, required: true },
      pepper_id: { type: String, required: true },
      created_at: { type: Date, required: true },
    }),
  },
  pin_reset: { type: embeddedSchema<PinResetDocument>({ expires_at: { type: Date, required: true } }) },
  manager_lock: { type: String },
  ...outboxFields,
})
  .index({ usuarioID: 1 }, { unique: true })
  .index({ email: 1 }, { unique: true })
  // Contains only managers, so that finding one is fast even among many customers.
  .index({ papel: 1 }, { partialFilterExpression: { papel: 'manager' } })
  .index({ 'tablet_pin.id': 1 }, { partialFilterExpression: { 'tablet_pin.id': { $exists: true } } })
  .index(...outboxIndex);

export const toNewUserDocument = (user: User): UserDocument => ({
  usuarioID: user.id,
  nome: user.name,
  email: user.email,
  senhaHash: user.passwordHash,
  wrong_passwords: user.wrongPasswords,
  papel: user.role,
  status: user.status,
  must_change_password: user.mustChangePassword,
  password_set_by_other: user.passwordSetByOther && toStoredPasswordSetByOther(user.passwordSetByOther),
  invitation: user.invitation && toStoredInvitation(user.invitation),
  session_epoch: user.sessionEpoch,
  created_at: new Date(user.createdAt),
  pin_version: user.pinVersion,
  pin: null,
  pin_reset: null,
  manager_lock: null,
  outbox: [],
});

const toStoredPasswordSetByOther = ({ at, by, replacedOwn }: PasswordSetByOther) => ({
  at: new Date(at),
  by,
  replaced_own: replacedOwn,
});
export const toPasswordSetByOther = (stored: UserDocument['password_set_by_other']): PasswordSetByOther | null =>
  stored && { at: stored.at.getTime(), by: stored.by, replacedOwn: stored.replaced_own };

const toStoredInvitation = ({ hash, by, endsAt }: Invitation): InvitationDocument => ({
  hash,
  by,
  ends_at: new Date(endsAt),
});
const toInvitation = (stored: UserDocument['invitation']): Invitation | null =>
  stored ? { hash: stored.hash, by: stored.by, endsAt: stored.ends_at.getTime() } : null;

export function toChangedFields(change: UserChange): Partial<UserDocument> {
  const { name, role, status, passwordHash, mustChangePassword, passwordSetByOther, invitation } = change;
  return {
    ...(name !== undefined && { nome: name }),
    ...(invitation !== undefined && { invitation: invitation && toStoredInvitation(invitation) }),
    ...(role !== undefined && { papel: role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { senhaHash: passwordHash, wrong_passwords: 0 }),
    ...(mustChangePassword !== undefined && { must_change_password: mustChangePassword }),
    // A password set by a manager also removes the tablet PIN.
    ...(passwordSetByOther && {
      password_set_by_other: toStoredPasswordSetByOther(passwordSetByOther),
      tablet_pin: null,
    }),
  };
}

export const toUser = (document: UserDocument): User => ({
  id: document.usuarioID,
  name: document.nome,
  email: document.email,
  passwordHash: document.senhaHash,
  wrongPasswords: document.wrong_passwords,
  role: document.papel,
  status: document.status,
  mustChangePassword: document.must_change_password,
  passwordSetByOther: toPasswordSetByOther(document.password_set_by_other),
  invitation: toInvitation(document.invitation),
  sessionEpoch: document.session_epoch,
  createdAt: document.created_at.getTime(),
  tabletPinId: document.tablet_pin?.id ?? null,
  pinVersion: document.pin_version,
});
