import { plural } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  forStaffOnly: 'This screen is for the staff. Sign in as a waiter or a manager.',
  ended: (time: string) => `You were signed out at ${time}. The tickets are frozen. Sign in to continue.`,
  who: 'Who are you?',
  people: 'People',
  nobody: 'No one has set a tablet PIN yet. Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  missing: 'Your name isn’t here? Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  byPassword: 'Sign in with e-mail and password',
  toNames: 'Back to the names',
  tryAgain: 'Try again',
  pinOf: (name: string) => `Tablet PIN of ${name}`,
  notMe: 'Someone else',
  wrong: (left: number) =>
    plural(left, { one: 'Wrong tablet PIN. 1 try left.', other: `Wrong tablet PIN. ${left} tries left.` }),
  wrongToDo: 'You aren’t signed in. Enter it again.',
  blocked: (time: string) => `Too many wrong tablet PINs. Try again at ${time}.`,
  blockedToDo: 'Wait, or sign in with e-mail and password.',
  usedUp: 'Too many wrong tablet PINs. This PIN is now blocked here.',
  usedUpToDo: 'Sign in with e-mail and password, and set a new one with “Tablet PIN” in the menu.',
  forgottenAsk: 'Is this a shared tablet?',
  forgotten: 'Its browser has forgotten it. A manager can sign in and register it again under “Screens”.',
  removed: 'This device is no longer a registered tablet.',
  removedToDo: 'Sign in with e-mail and password. A manager can register it again.',
};
const ptBr: typeof en = {
  forStaffOnly: 'Esta tela é da equipe. Entre como garçom ou gerente.',
  ended: (time) => `Sua sessão terminou às ${time}. As comandas estão congeladas. Entre para continuar.`,
  who: 'Quem é você?',
  people: 'Pessoas',
  nobody: 'Ninguém definiu um PIN do tablet ainda. Entre com e-mail e senha e escolha “PIN do tablet” no menu.',
  missing: 'Seu nome não está aqui? Entre com e-mail e senha e escolha “PIN do tablet” no menu.',
  byPassword: 'Entrar com e-mail e senha',
  toNames: 'Voltar aos nomes',
  tryAgain: 'Tentar de novo',
  pinOf: (name) => `PIN do tablet de ${name}`,
  notMe: 'Outra pessoa',
  wrong: (left) =>
    plural(left, {
      one: 'PIN do tablet incorreto. Resta 1 tentativa.',
      other: `PIN do tablet incorreto. Restam ${left} tentativas.`,
    }),
  wrongToDo: 'Você não entrou. Digite de novo.',
  blocked: (time) => `Muitas tentativas com PIN errado. Tente de novo às ${time}.`,
  blockedToDo: 'Espere, ou entre com e-mail e senha.',
  usedUp: 'Muitas tentativas com PIN errado. Este PIN está bloqueado aqui.',
  usedUpToDo: 'Entre com e-mail e senha e defina outro em “PIN do tablet” no menu.',
  forgottenAsk: 'Este é um tablet da casa?',
  forgotten: 'O navegador o esqueceu. Um gerente pode entrar e cadastrá-lo de novo em “Telas”.',
  removed: 'Este aparelho não é mais um tablet cadastrado.',
  removedToDo: 'Entre com e-mail e senha. Um gerente pode cadastrá-lo de novo.',
};
export const signInMessages = messagesOf({ en, 'pt-BR': ptBr });
