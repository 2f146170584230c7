import { plural } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  forStaffOnly: 'This screen is for the staff. Sign in as a waiter or a manager.',
  ended: (time: string) =>
    `The sign-in of this screen ended at ${time}. The tickets stand as they were then, and nothing can be bumped. Sign in to go on.`,
  who: 'Who are you?',
  people: 'People',
  nobody: 'Nobody has set a tablet PIN yet. Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  missing: 'Your name is not here? Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  byPassword: 'Sign in with e-mail and password',
  toNames: 'Back to the names',
  tryAgain: 'Try again',
  pinOf: (name: string) => `Tablet PIN of ${name}`,
  notMe: 'Somebody else',
  wrong: (left: number) =>
    plural(left, { one: 'Wrong tablet PIN, 1 try left.', other: `Wrong tablet PIN, ${left} tries left.` }),
  wrongToDo: 'You are not signed in. Enter it again.',
  blocked: (time: string) => `Too many wrong tablet PINs. This tablet takes none of yours before ${time}.`,
  blockedToDo: 'Wait, or sign in with e-mail and password.',
  usedUp: 'Too many wrong tablet PINs. This tablet takes this one no more.',
  usedUpToDo: 'Sign in with e-mail and password, and set another one with “Tablet PIN” in the menu.',
  forgottenAsk: 'Is this a shared tablet?',
  forgotten: 'Its browser has forgotten it. A manager signs in and registers it again, at “Screens”.',
  removed: 'This device is no registered tablet any more.',
  removedToDo: 'Sign in with e-mail and password. A manager can register it again.',
};
const ptBr: typeof en = {
  forStaffOnly: 'Esta tela é da equipe. Entre como garçom ou gerente.',
  ended: (time) =>
    `O acesso desta tela terminou às ${time}. As comandas estão como estavam, e nada pode ser marcado. Entre para continuar.`,
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
      one: 'PIN do tablet incorreto, resta 1 tentativa.',
      other: `PIN do tablet incorreto, restam ${left} tentativas.`,
    }),
  wrongToDo: 'Você não entrou. Digite de novo.',
  blocked: (time) => `PINs do tablet incorretos demais. Este tablet não aceita o seu antes das ${time}.`,
  blockedToDo: 'Espere, ou entre com e-mail e senha.',
  usedUp: 'PINs do tablet incorretos demais. Este tablet não aceita mais este PIN.',
  usedUpToDo: 'Entre com e-mail e senha e defina outro em “PIN do tablet” no menu.',
  forgottenAsk: 'Este é um tablet da casa?',
  forgotten: 'O navegador o esqueceu. A gerência entra e o cadastra de novo, em “Telas”.',
  removed: 'Este aparelho não é mais um tablet cadastrado.',
  removedToDo: 'Entre com e-mail e senha. A gerência pode cadastrá-lo de novo.',
};
export const signInMessages = messagesOf({ en, 'pt-BR': ptBr });
