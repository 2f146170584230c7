import { caller, created, type Call } from '@comanda/testing/call';
import type { Stack } from '@comanda/testing/stack';
import { tokenFor } from '@comanda/testing/step-up-calls';

type Options = {
  stack: Stack;
  /** Calls the gateway as a manager who has a PIN. */
  manager: Call;
  /** The password that invited people choose. */
  password: string;
};
export type Staff = ReturnType<typeof createStaff>;

/** Returns functions that add the waiters and tablets that examples need. */
export function createStaff({ stack, manager, password }: Options) {
  const consent = async (key: string) => ({ 'x-step-up-token': await tokenFor(manager, key) });
  const newInvitation = () => ({ name: 'Rui', email: `rui-${crypto.randomUUID()}@example.com`, role: 'waiter' });
  const invite = async () => {
    const headers = await consent('user.manage');
    return created(await manager('POST', '/invitations', { body: newInvitation(), headers }));
  };
  return {
    newInvitation,
    invite,
    /** Invites a waiter, who accepts with a password and a tablet PIN. */
    newWaiter: async () => {
      const { user, invitation_token } = await invite();
      const body = { invitation_token, password, tablet_pin: '7391' };
      created(await stack.call('POST', '/auth/invitation/acceptance', { body }));
      const session = await stack.call('POST', '/auth/login', { body: { email: user.email, password } });
      const call = caller(stack.gatewayUrl, { token: session.body.access_token });
      return { id: user.id as number, call };
    },
    registerTablet: async () => {
      const headers = await consent('tablet.register');
      return created(await manager('POST', '/tablets', { body: { name: 'Kitchen pass' }, headers }));
    },
  };
}
