import { roles } from './endpoint.ts';
import { component, id, object, oneOf } from './schema.ts';

export const role = component('Role', oneOf(...roles));

export const actorShape = { id: id().example(3), role: role.example('waiter') };
/** The author of a change, without the name: events go to guests too, who must not learn the names of staff. */
export const actor = component('Actor', object(actorShape));
