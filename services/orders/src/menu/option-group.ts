import type { OptionGroup as GroupResponse } from '@comanda/contracts/option-groups';
import type { Message } from '@comanda/shared/messaging/publisher';
import { newMessage } from '../messages.ts';

/** An option group. Deleted groups stay stored, so that their events can be published. */
export type OptionGroup = GroupResponse & { deleted: boolean };
export type Option = OptionGroup['options'][number];

export const toGroupResponse = ({ deleted: _deleted, ...group }: OptionGroup): GroupResponse => group;

/** Creates the event for a write to a group. It contains the whole group as it is after the write. */
export const optionGroupChanged = (
  group: OptionGroup,
  { at, traceparent }: { at: Date; traceparent: string },
): Message => newMessage('option_group.changed', { subject: String(group.id), at, traceparent, data: { group } });

/** Returns the ids of the groups that this group's options open, each once. */
export const openedBy = ({ options }: Pick<OptionGroup, 'options'>): number[] => [
  ...new Set(options.flatMap(({ option_group_ids: ids }) => ids)),
];
