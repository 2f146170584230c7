import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tabTo } from '@comanda/testing/page-checks';
import { minutesAgo } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { otherPin, pin } from '@comanda/testing/step-up-calls';
import { accountPage, enterPin, newPin } from '../support/customer.ts';
import { afterPin, newTransfer, securityPage, signedIn, wrongPinWith } from './states.ts';

// The account pages: the lock, the PIN, the password, sessions and a transfer.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

async function show(state: State, path = '#/account', look?: Parameters<Stand['show']>[2]) {
  const page = await stand.show(state, path, look);
  return { page, ...accountPage(page) };
}
type Shown = Awaited<ReturnType<typeof show>>;
async function review({ fill, button, pad }: Shown): Promise<void> {
  await fill('To account number', '22');
  await fill('Amount', '12.50');
  await button('Review transfer').click();
  await pad.waitFor();
}
async function confirm({ pad, button }: Shown): Promise<void> {
  await enterPin(pad, pin);
  await button('Confirm transfer').click();
}

describe('the account', () => {
  test('is hidden after 5 minutes without a touch until the password is entered', async () => {
    const signIn = {
      signsIn: { userId: 5, role: 'customer', name: 'Lia' },
      me: { email: 'lia@comanda.test' },
    } as const;
    const state = signedIn({
      signsIn: signIn.signsIn,
      answers: { me: signIn.me as never, login: { turns: [fails('invalid_credentials'), {} as never] } },
    });
    const { page, heading, balance, button, alert, fill } = await show(state);
    await balance.getByText('R$ 100.00').waitFor();
    const isQuietFor = (minutes: number) =>
      page.evaluate(
        (at) => localStorage.setItem('comanda.account-activity', JSON.stringify({ userId: 5, at })),
        Date.now() - minutes * 60_000,
      );
    await isQuietFor(4.9);
    await heading(/^Account \d+/).click(); // A tap anywhere on the page postpones the lock.
    expect(await balance.textContent()).toContain('100.00');
    await isQuietFor(5);
    await heading('Locked').waitFor();
    await page.reload();
    await heading('Locked').waitFor();
    expect(await page.content()).not.toContain('100.00');
    await fill('Password', 'not-the-password');
    await button('Unlock').click();
    await alert('The password is wrong.').waitFor();
    await fill('Password', 'mesa-farofa-violao');
    await button('Unlock').click();
    await balance.getByText('R$ 100.00').waitFor();
  });
  test('shows no amount while amounts are hidden, even after a reload', async () => {
    const { page, button, balance } = await show(signedIn());
    await button('Hide amounts').click();
    await page.reload();
    await button('Show amounts').waitFor();
    await balance.getByText('••••').waitFor();
    expect(await page.content()).not.toContain('100.00');
  });
});

describe('PIN and security', () => {
  test("asks for the customer's current PIN before changing it", async () => {
    const changed = { status: 'usable', created_at: minutesAgo(0), attempts_remaining: 3 } as const;
    const state = { ...securityPage() };
    const answers = { ...state.answers, changeTransactionPassword: changed };
    const { page, button, heading } = await show({ ...state, answers }, '#/account/security');
    await button('Change PIN').click();
    for (const [label, digits, next] of [['Current PIN', pin, 'Continue'] as const, ...newPin(otherPin)]) {
      await page.getByRole('group', { name: label }).waitFor();
      await page.keyboard.type(digits);
      await button(next ?? 'Continue').click();
    }
    await heading('Your PIN is set.').waitFor();
    expect(await stand.calls('changeTransactionPassword')).toMatchObject([
      { input: { current: pin, transaction_password: otherPin, confirmation: otherPin } },
    ]);
  });
  test('lists recent activity and all other sessions', async () => {
    const state = securityPage();
    const [own] = (state.answers.listSessions ?? []) as readonly object[];
    const answers: State['answers'] = {
      ...state.answers,
      listSessions: { turns: [state.answers.listSessions, [own]] } as never,
      endOneSession: null as never,
    };
    const { page, sees } = await show({ ...state, answers }, '#/account/security');
    await page.getByRole('listitem').getByText('You signed in').waitFor();
    await sees(/^This device: /);
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.getByRole('button', { name: /^End session: / }).click();
    await sessions.nth(1).waitFor({ state: 'detached' });
  });
  test('ends a session only once, even if the button is pressed again', async () => {
    const state = securityPage();
    const { page } = await show(
      { ...state, answers: { ...state.answers, endOneSession: never } },
      '#/account/security',
    );
    const end = page.getByRole('button', { name: /^End session: / });
    await end.click();
    await page.locator('[aria-disabled=true]').waitFor();
    await end.press('Enter');
    expect(await stand.calls('endOneSession')).toHaveLength(1);
  });
  test('shows that a new password has signed out all other devices', async () => {
    const state = securityPage();
    const answers = { ...state.answers, changePassword: null as never };
    const { page, button, fill } = await show({ ...state, answers }, '#/account/security');
    await button('Change password').click();
    await fill('Current password', 'mesa-farofa-violao');
    await fill('New password', 'farofa-com-violao-9');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('signed out on all other devices.').last().waitFor();
  });
});

describe('a transfer', () => {
  test('can be made with only the keyboard', async () => {
    const { page, pad, heading } = await show(signedIn({ answers: afterPin(newTransfer()) }));
    await tabTo(page, /^Transfer$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^$/);
    await page.keyboard.type('22');
    await page.keyboard.press('Tab');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    await pad.waitFor();
    await page.keyboard.type(`${pin.slice(0, 5)}0`);
    await page.keyboard.press('Backspace');
    await page.keyboard.type(pin.slice(5));
    await page.keyboard.press('Enter');
    await heading('Completed').waitFor();
    expect(await stand.calls('stepUp')).toMatchObject([{ input: { transaction_password: pin } }]);
  });
  test('is reviewed again when the customer goes back from the PIN pad', async () => {
    const shown = await show(signedIn({ answers: afterPin(never) }), '#/account/transfer');
    await review(shown);
    await shown.button('Edit transfer').click();
    expect(await shown.page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    await shown.fill('Amount', '100.01');
    await shown.button('Review transfer').click();
    await shown.sees('You only have R$ 100.00.');
    expect(await stand.calls('stepUp')).toEqual([]);
  });
  test('shows how long the PIN is blocked', async () => {
    const blocked = fails('transaction_password_blocked', { members: { blocked_until: minutesAgo(-30) } });
    const answers = { ...afterPin(never), stepUp: { turns: [wrongPinWith(2), wrongPinWith(1), blocked] } };
    const shown = await show(signedIn({ answers }), '#/account/transfer');
    await review(shown);
    for (const left of ['2 tries', '1 try']) {
      await confirm(shown);
      await shown.alert(`Wrong PIN, ${left} left.`).waitFor();
    }
    await confirm(shown);
    await shown.heading(/^Your PIN is blocked until \d\d:\d\d$/).waitFor();
    await shown.sees('R$ 12.50 to account 22 was NOT sent.');
    await shown.sees('Balance and statement');
    const timer = shown.page.getByRole('timer');
    await timer.getByText(/About (29|30) minutes left/).waitFor({ state: 'attached' });
  });
  test('is in Portuguese on a Portuguese page', async () => {
    const answers = { ...afterPin(newTransfer()), stepUp: { turns: [wrongPinWith(2), {} as never] } };
    const { page, button, fill, sees, pad, heading } = await show(signedIn({ answers }), '#/account', {
      language: 'pt-BR',
    });
    await page.getByRole('status', { name: 'Saldo' }).getByText('R$ 100,00').waitFor();
    await button('Transferir').click();
    await fill('Para a carteira número', '22');
    await fill('Valor', '12,50');
    await button('Conferir transferência').click();
    await enterPin(pad, pin);
    await button('Confirmar transferência').click();
    await sees('PIN incorreto, restam 2 tentativas.');
    await enterPin(pad, pin);
    await button('Confirmar transferência').click();
    await heading('Realizada').waitFor();
  });
});
