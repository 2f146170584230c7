import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  staff: 'Equipe',
  forStaffOnly: 'Esta tela é da equipe. Entre como garçom ou gerente.',
  ended: (time) => `Sua sessão terminou às ${time}. As comandas estão congeladas. Entre para continuar.`,
  who: 'Quem é você?',
  people: 'Pessoas',
  nobody: 'Ninguém definiu um PIN do tablet ainda. Entre com e-mail e senha e escolha “PIN do tablet” no menu.',
  missing: 'Seu nome não está aqui? Entre com e-mail e senha e escolha “PIN do tablet” no menu.',
  byPassword: 'Entrar com e-mail e senha',
  toSetup: 'Tenho um código de instalação',
  toNames: 'Voltar aos nomes',
  tryAgain: common.tryAgain,
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
