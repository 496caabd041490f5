import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('pt-br')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Olá, ${name}!`,
    helloStranger: 'Olá!',
    ignore: 'Se não foi você, ignore este e-mail. Nada mudou.',
    stop: 'Parar de receber estes e-mails',
    openChat: 'Abrir o chat',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} convidou você para ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) convidou você para participar de ${organization}, um chat de equipe.`,
    join: (organization) => `Participar de ${organization}`,
    forYou: 'O convite é só para você. Se você não conhece essa pessoa, ignore este e-mail.',
    forYouUntil: (day) =>
      `O convite é só para você. Ele expira em ${day}. Se você não conhece essa pessoa, ignore este e-mail.`,
  },
  passwordReset: {
    subject: (organization) => `Redefina sua senha de ${organization}`,
    text: (address, organization) => `Alguém pediu uma nova senha para a sua conta ${address} em ${organization}.`,
    choose: 'Escolher uma nova senha',
    once: 'O link funciona uma única vez, por uma hora. Ele encerra todas as suas outras sessões.',
    ignore: 'Se não foi você, ignore este e-mail. Sua senha continua a mesma.',
  },
  signUp: {
    existsSubject: (organization) => `Você já tem uma conta em ${organization}`,
    exists: (address, organization) =>
      `Alguém tentou criar uma conta para ${address} em ${organization}. Você já tem uma.`,
    signIn: (organization) => `Fazer login em ${organization}`,
    confirmSubject: (organization) => `Confirme seu e-mail para ${organization}`,
    confirm: (address, organization) =>
      `Alguém, provavelmente você, quer criar uma conta para ${address} em ${organization}, um chat de equipe.`,
    create: 'Criar sua conta',
    once: 'O link funciona uma única vez, por um dia. Se não foi você, ignore este e-mail.',
  },
  emailChange: {
    confirmSubject: (organization) => `Confirme seu novo e-mail para ${organization}`,
    confirm: (address, organization) => `Confirme que ${address} é o novo endereço da sua conta em ${organization}.`,
    confirmButton: 'Confirmar este endereço',
    day: 'O link é válido por um dia. Se não foi você, ignore este e-mail.',
    changeSubject: (organization) => `Seu e-mail de ${organization} vai mudar`,
    change: (address, organization) =>
      `Sua conta em ${organization} passará a ter o endereço ${address} quando ele for confirmado.`,
    keep: 'Se não foi você, mantenha seu endereço e encerre todas as sessões. O link é válido por 7 dias:',
    keepButton: 'Manter meu endereço',
    thenPassword: 'Depois, escolha uma nova senha.',
  },
  account: {
    deactivatedSubject: (organization) => `Sua conta em ${organization} foi desativada`,
    deactivated: (address, organization) =>
      `Um administrador desativou a sua conta ${address} em ${organization}. Você não pode mais fazer login.`,
    theyWrote: 'Comentário:',
    reactivatedSubject: (organization) => `Sua conta em ${organization} está ativa de novo`,
    reactivated: (address, organization) =>
      `Um administrador reativou a sua conta ${address} em ${organization}. Faça login com a sua senha.`,
    signIn: 'Fazer login',
    exportSubject: (organization) => `A exportação de ${organization} está pronta`,
    export: (organization) =>
      `A exportação de ${organization} que você iniciou está pronta. Baixe-a nas configurações da organização.`,
    ownExportSubject: (organization) => `Seus dados de ${organization} estão prontos`,
    ownExport: (organization) =>
      `Suas mensagens, seus arquivos e suas configurações em ${organization} estão prontos. Você pode baixá-los nas suas configurações por 7 dias.`,
    openSettings: 'Abrir as configurações',
  },
  welcome: {
    subject: (organization) => `Boas-vindas a ${organization}`,
    text: (organization, address) => `Agora você tem uma conta em ${organization}. Faça login com ${address}.`,
    apps: (url) => `Endereço do servidor para aplicativos: ${url}`,
  },
  signIn: {
    subject: (organization) => `Novo login em ${organization}`,
    text: (account, organization) => `Um novo dispositivo fez login na sua conta ${account} em ${organization}.`,
    textFrom: (account, organization, address) =>
      `Um novo dispositivo fez login na sua conta ${account} em ${organization} a partir do endereço ${address}.`,
    device: 'Dispositivo',
    unknownDevice: 'desconhecido',
    time: 'Horário',
    ifYou: 'Se foi você, não é preciso fazer nada. Caso contrário, encerre todas as sessões e escolha uma nova senha.',
    review: 'Verificar suas sessões',
  },
  guessing: {
    subject: (organization) => `Muitas tentativas de login na sua conta em ${organization} falharam`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} tentativa de login na sua conta ${account} em ${organization} falhou em uma hora. Alguém pode estar tentando adivinhar sua senha.`,
        many: `${count} de tentativas de login na sua conta ${account} em ${organization} falharam em uma hora. Alguém pode estar tentando adivinhar sua senha.`,
        other: `${count} tentativas de login na sua conta ${account} em ${organization} falharam em uma hora. Alguém pode estar tentando adivinhar sua senha.`,
      }),
    advice:
      'Ninguém entrou dessa forma. Se foi você quem digitou a senha errada, não é preciso fazer nada. Caso contrário, use uma senha longa que você não use em nenhum outro lugar e um app autenticador.',
    open: 'Abrir sua conta',
  },
  missed: {
    with: (name) => `Mensagens diretas com ${name}`,
    withGroup: (names) => `Mensagens diretas em grupo com ${names}`,
    generalChat: 'chat geral',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(oculto)',
    more: (count) => plural(count, { one: `E mais ${count}.`, many: `E mais ${count}.`, other: `E mais ${count}.` }),
    open: 'Abrir a conversa',
    muteTopic: 'Silenciar este tópico',
    hiddenSubject: 'Novas mensagens',
    hiddenText: (count) =>
      plural(count, {
        one: `Você tem ${count} nova mensagem. Este e-mail não a mostra por causa de uma configuração sua ou da organização.`,
        many: `Você tem ${count} de novas mensagens. Este e-mail não as mostra por causa de uma configuração sua ou da organização.`,
        other: `Você tem ${count} novas mensagens. Este e-mail não as mostra por causa de uma configuração sua ou da organização.`,
      }),
    footer: (organization) =>
      `Você recebeu este e-mail porque perdeu mensagens em ${organization}. Ninguém lê as respostas a ele.`,
    footerReply: (organization) =>
      `Você recebeu este e-mail porque perdeu mensagens em ${organization}. Responda a ele para responder no chat.`,
  },
  test: {
    subject: 'E-mail de teste',
    works: 'Seu servidor de chat consegue enviar e-mails.',
  },
  digest: {
    subject: (organization) => `Sua semana em ${organization}`,
    text: (organization) => `Veja o que aconteceu em ${organization} na última semana.`,
    unread: (count) =>
      plural(count, {
        one: `Você tem ${count} mensagem direta não lida.`,
        many: `Você tem ${count} de mensagens diretas não lidas.`,
        other: `Você tem ${count} mensagens diretas não lidas.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `Há ${count} nova mensagem nos seus canais.`,
        many: `Há ${count} de novas mensagens nos seus canais.`,
        other: `Há ${count} novas mensagens nos seus canais.`,
      }),
    topics: 'Tópicos ativos',
    topic: (count, names) =>
      plural(count, {
        one: `${count} mensagem: ${names}`,
        many: `${count} de mensagens: ${names}`,
        other: `${count} mensagens: ${names}`,
      }),
    channels: 'Novos canais',
    footer: (organization) =>
      `Você recebe este e-mail uma vez por semana porque não abre ${organization} há alguns dias.`,
  },
}
