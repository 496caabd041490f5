import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('fr')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}\u202f: ${value}`,
    hello: (name) => `Bonjour ${name},`,
    helloStranger: 'Bonjour,',
    ignore: 'Si cette demande ne vient pas de vous, ignorez cet e-mail. Rien n’a changé.',
    stop: 'Ne plus recevoir ces e-mails',
    openChat: 'Ouvrir la messagerie',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} vous invite à rejoindre ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) vous invite à rejoindre ${organization}, une messagerie d’équipe.`,
    join: (organization) => `Rejoindre ${organization}`,
    forYou: 'L’invitation est personnelle. Si vous ne connaissez pas cette personne, ignorez cet e-mail.',
    forYouUntil: (day) =>
      `L’invitation est personnelle. Elle expire le ${day}. Si vous ne connaissez pas cette personne, ignorez cet e-mail.`,
  },
  passwordReset: {
    subject: (organization) => `Réinitialisez votre mot de passe pour ${organization}`,
    text: (address, organization) =>
      `Un nouveau mot de passe a été demandé pour votre compte ${address} dans ${organization}.`,
    choose: 'Choisir un nouveau mot de passe',
    once: 'Le lien fonctionne une seule fois, pendant une heure. Toutes vos sessions en cours seront fermées.',
    ignore: 'Si cette demande ne vient pas de vous, ignorez cet e-mail. Votre mot de passe reste le même.',
  },
  signUp: {
    existsSubject: (organization) => `Vous avez déjà un compte dans ${organization}`,
    exists: (address, organization) =>
      `Quelqu’un a voulu créer un compte pour ${address} dans ${organization}. Vous en avez déjà un.`,
    signIn: (organization) => `Se connecter à ${organization}`,
    confirmSubject: (organization) => `Confirmez votre adresse e-mail pour ${organization}`,
    confirm: (address, organization) =>
      `Quelqu’un, sans doute vous, souhaite créer un compte pour ${address} dans ${organization}, une messagerie d’équipe.`,
    create: 'Créer votre compte',
    once: 'Le lien fonctionne une seule fois, pendant un jour. Si cette demande ne vient pas de vous, ignorez cet e-mail.',
  },
  emailChange: {
    confirmSubject: (organization) => `Confirmez votre nouvelle adresse e-mail pour ${organization}`,
    confirm: (address, organization) =>
      `Confirmez que ${address} est la nouvelle adresse de votre compte dans ${organization}.`,
    confirmButton: 'Confirmer cette adresse',
    day: 'Le lien est valable un jour. Si cette demande ne vient pas de vous, ignorez cet e-mail.',
    changeSubject: (organization) => `Votre adresse e-mail pour ${organization} va changer`,
    change: (address, organization) =>
      `L’adresse de votre compte dans ${organization} deviendra ${address} dès qu’elle sera confirmée.`,
    keep: 'Si ce changement ne vient pas de vous, gardez votre adresse et fermez toutes vos sessions. Le lien est valable 7 jours\u202f:',
    keepButton: 'Garder mon adresse',
    thenPassword: 'Choisissez ensuite un nouveau mot de passe.',
  },
  account: {
    deactivatedSubject: (organization) => `Votre compte dans ${organization} a été désactivé`,
    deactivated: (address, organization) =>
      `Un admin a désactivé votre compte ${address} dans ${organization}. Vous ne pouvez plus vous connecter.`,
    theyWrote: 'Commentaire\u202f:',
    reactivatedSubject: (organization) => `Votre compte dans ${organization} est de nouveau actif`,
    reactivated: (address, organization) =>
      `Un admin a réactivé votre compte ${address} dans ${organization}. Connectez-vous avec votre mot de passe.`,
    signIn: 'Se connecter',
    exportSubject: (organization) => `L’export des données est prêt\u202f: ${organization}`,
    export: (organization) =>
      `L’export que vous avez lancé pour ${organization} est prêt. Téléchargez-le dans les paramètres de l’organisation.`,
    ownExportSubject: (organization) => `Vos données sont prêtes\u202f: ${organization}`,
    ownExport: (organization) =>
      `Vos messages, fichiers et paramètres de l’organisation ${organization} sont prêts. Vous pouvez les télécharger dans vos paramètres pendant 7 jours.`,
    openSettings: 'Ouvrir les paramètres',
  },
  welcome: {
    subject: (organization) => `Bienvenue dans ${organization}`,
    text: (organization, address) =>
      `Vous avez désormais un compte dans ${organization}. Connectez-vous avec ${address}.`,
    apps: (url) => `Adresse du serveur pour les applications : ${url}`,
  },
  signIn: {
    subject: (organization) => `Nouvelle connexion à ${organization}`,
    text: (account, organization) =>
      `Un nouvel appareil s’est connecté à votre compte ${account} dans ${organization}.`,
    textFrom: (account, organization, address) =>
      `Un nouvel appareil s’est connecté à votre compte ${account} dans ${organization} depuis l’adresse ${address}.`,
    device: 'Appareil',
    unknownDevice: 'inconnu',
    time: 'Heure',
    ifYou:
      'Si c’était vous, il n’y a rien à faire. Sinon, fermez toutes vos sessions et choisissez un nouveau mot de passe.',
    review: 'Vérifier vos sessions',
  },
  guessing: {
    subject: (organization) => `De nombreuses connexions à votre compte ont échoué dans ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} connexion à votre compte ${account} dans ${organization} a échoué en une heure. Quelqu’un essaie peut-être de deviner votre mot de passe.`,
        many: `${count} de connexions à votre compte ${account} dans ${organization} ont échoué en une heure. Quelqu’un essaie peut-être de deviner votre mot de passe.`,
        other: `${count} connexions à votre compte ${account} dans ${organization} ont échoué en une heure. Quelqu’un essaie peut-être de deviner votre mot de passe.`,
      }),
    advice:
      'Personne n’est entré de cette façon. Si vous avez vous-même saisi un mauvais mot de passe, il n’y a rien à faire. Sinon, utilisez un long mot de passe qui ne sert nulle part ailleurs, et une application d’authentification.',
    open: 'Ouvrir votre compte',
  },
  missed: {
    with: (name) => `Messages directs avec ${name}`,
    withGroup: (names) => `Messages directs de groupe avec ${names}`,
    generalChat: 'discussion générale',
    message: (sender, time) => `${sender}, ${time}\u202f:`,
    hidden: '(masqué)',
    more: (count) =>
      plural(count, {
        one: `Et ${count} autre.`,
        many: `Et ${count} d’autres.`,
        other: `Et ${count} autres.`,
      }),
    open: 'Ouvrir la conversation',
    muteTopic: 'Mettre ce sujet en sourdine',
    hiddenSubject: 'Nouveaux messages',
    hiddenText: (count) =>
      plural(count, {
        one: `Vous avez ${count} nouveau message. Cet e-mail ne l’affiche pas, en raison de vos paramètres ou de ceux de l’organisation.`,
        many: `Vous avez ${count} de nouveaux messages. Cet e-mail ne les affiche pas, en raison de vos paramètres ou de ceux de l’organisation.`,
        other: `Vous avez ${count} nouveaux messages. Cet e-mail ne les affiche pas, en raison de vos paramètres ou de ceux de l’organisation.`,
      }),
    footer: (organization) =>
      `Vous recevez cet e-mail parce que vous avez manqué des messages dans ${organization}. Personne ne lit les réponses.`,
    footerReply: (organization) =>
      `Vous recevez cet e-mail parce que vous avez manqué des messages dans ${organization}. Répondez-y pour répondre dans la messagerie.`,
  },
  test: {
    subject: 'E-mail de test',
    works: 'Votre serveur de messagerie d’équipe peut envoyer des e-mails.',
  },
  digest: {
    subject: (organization) => `Votre semaine dans ${organization}`,
    text: (organization) => `Voici ce qui s’est passé dans ${organization} la semaine dernière.`,
    unread: (count) =>
      plural(count, {
        one: `Vous avez ${count} message direct non lu.`,
        many: `Vous avez ${count} de messages directs non lus.`,
        other: `Vous avez ${count} messages directs non lus.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `Il y a ${count} nouveau message dans vos canaux.`,
        many: `Il y a ${count} de nouveaux messages dans vos canaux.`,
        other: `Il y a ${count} nouveaux messages dans vos canaux.`,
      }),
    topics: 'Sujets actifs',
    topic: (count, names) =>
      plural(count, {
        one: `${count} message\u202f: ${names}`,
        many: `${count} de messages\u202f: ${names}`,
        other: `${count} messages\u202f: ${names}`,
      }),
    channels: 'Nouveaux canaux',
    footer: (organization) =>
      `Vous recevez cet e-mail une fois par semaine parce que vous n’avez pas ouvert ${organization} depuis quelques jours.`,
  },
}
