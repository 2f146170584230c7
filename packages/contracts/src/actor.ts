import { roles } from './endpoint.ts';
import { component, id, object, oneOf } from './schema.ts';

export const role = component('Role', oneOf(...roles));

export const actorShape = { id: id().example(3), role: role.example('waiter') };
/** The user who made a change, without their name: events are also sent to guests, who must not learn the names of staff. */
export const actor = component('Actor', object(actorShape));
