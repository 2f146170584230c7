import { login, me, refresh, registerUser as register } from '@comanda/shared/contracts/people';
import { problem } from '@comanda/shared/contracts/problems';
import type { Api } from '@comanda/shared/http/api';
import { refreshSession } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { registerUser } from './register.ts';
import type { People } from './register.ts';
import { signIn } from './sign-in.ts';
import { presentUser } from './user.ts';

type Rooms = { people: People; sessions: Sessions };

export function peopleRoutes({ handle }: Api, { people, sessions }: Rooms): void {
  handle(register, async ({ body }) => {
    const user = await registerUser(people, { ...body, role: 'customer', passwordSetBy: 'oneself' });
    return { status: 201, body: presentUser(user) };
  });
  handle(login, async ({ body }) => ({ status: 200, body: await signIn({ ...people, sessions }, body) }));
  handle(refresh, async ({ body }) => ({ status: 200, body: await refreshSession(sessions, body.refresh_token) }));
  handle(me, async ({ caller }) => {
    const user = await people.users.byId(caller.userId);
    if (!user) throw problem('invalid_token', { detail: 'There is no such user.' });
    return { status: 200, body: presentUser(user) };
  });
}
