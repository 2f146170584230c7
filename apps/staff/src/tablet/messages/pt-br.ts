import { common } from '@comanda/ui/messages/common.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  switchPerson: (name) => `Trocar de pessoa, ${name}`,
  unsent: 'Você tem trabalho não enviado neste aparelho. Ele será enviado quando você entrar aqui de novo.',
  switchAsk: 'Trocar de pessoa com trabalho não enviado?',
  switchAnyway: 'Trocar mesmo assim',
  title: 'PIN do tablet',
  why: 'Quatro dígitos para entrar nos tablets deste restaurante. Este não é o seu PIN de pagamento.',
  choose: 'Escolha quatro dígitos',
  repeat: 'Repita os quatro dígitos',
  weak: 'Estes dígitos são fáceis de adivinhar.',
  weakToDo: 'Evite anos, dígitos repetidos e passos iguais, como 1234 ou 4826.',
  different: 'Os dígitos não são iguais.',
  differentToDo: 'Seu PIN do tablet não foi definido. Escolha quatro dígitos de novo.',
  password: 'Sua senha',
  set: 'Definir o PIN do tablet',
  done: 'Seu PIN do tablet está definido. Seu nome agora aparece nos tablets cadastrados.',
  close: common.close,
};
