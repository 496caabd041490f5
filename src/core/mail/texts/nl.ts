import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('nl')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Hallo ${name},`,
    helloStranger: 'Hallo,',
    ignore: 'Was jij dit niet? Negeer deze e-mail dan. Er is niets veranderd.',
    stop: 'Afmelden voor deze e-mails',
    openChat: 'Chat openen',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} heeft je uitgenodigd voor ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) heeft je uitgenodigd voor ${organization}, een teamchat.`,
    join: (organization) => `Lid worden van ${organization}`,
    forYou: 'De uitnodiging is alleen voor jou. Ken je de afzender niet, negeer deze e-mail dan.',
    forYouUntil: (day) =>
      `De uitnodiging is alleen voor jou. Ze verloopt op ${day}. Ken je de afzender niet, negeer deze e-mail dan.`,
  },
  passwordReset: {
    subject: (organization) => `Wachtwoord voor ${organization} opnieuw instellen`,
    text: (address, organization) =>
      `Iemand heeft een nieuw wachtwoord aangevraagd voor je account ${address} bij ${organization}.`,
    choose: 'Nieuw wachtwoord kiezen',
    once: 'De link werkt één keer, binnen een uur. Je wordt daarmee overal elders uitgelogd.',
    ignore: 'Was jij dit niet? Negeer deze e-mail dan. Je wachtwoord blijft hetzelfde.',
  },
  signUp: {
    existsSubject: (organization) => `Je hebt al een account bij ${organization}`,
    exists: (address, organization) =>
      `Iemand wilde een account voor ${address} maken bij ${organization}. Je hebt er al een.`,
    signIn: (organization) => `Inloggen bij ${organization}`,
    confirmSubject: (organization) => `Bevestig je e-mailadres voor ${organization}`,
    confirm: (address, organization) =>
      `Iemand, waarschijnlijk jij, wil een account voor ${address} maken bij ${organization}, een teamchat.`,
    create: 'Account maken',
    once: 'De link werkt één keer, binnen een dag. Was jij dit niet? Negeer deze e-mail dan.',
  },
  emailChange: {
    confirmSubject: (organization) => `Bevestig je nieuwe e-mailadres voor ${organization}`,
    confirm: (address, organization) =>
      `Bevestig dat ${address} het nieuwe adres van je account bij ${organization} is.`,
    confirmButton: 'Adres bevestigen',
    day: 'De link is een dag geldig. Was jij dit niet? Negeer deze e-mail dan.',
    changeSubject: (organization) => `Je e-mailadres voor ${organization} wordt gewijzigd`,
    change: (address, organization) =>
      `Je account bij ${organization} krijgt het adres ${address} zodra dat is bevestigd.`,
    keep: 'Was jij dit niet? Behoud dan je adres en log overal uit. De link is 7 dagen geldig:',
    keepButton: 'Adres behouden',
    thenPassword: 'Kies daarna een nieuw wachtwoord.',
  },
  account: {
    deactivatedSubject: (organization) => `Je account bij ${organization} is gedeactiveerd`,
    deactivated: (address, organization) =>
      `Een beheerder heeft je account ${address} bij ${organization} gedeactiveerd. Je kunt niet meer inloggen.`,
    theyWrote: 'Toelichting:',
    reactivatedSubject: (organization) => `Je account bij ${organization} is weer actief`,
    reactivated: (address, organization) =>
      `Een beheerder heeft je account ${address} bij ${organization} weer geactiveerd. Log in met je wachtwoord.`,
    signIn: 'Inloggen',
    exportSubject: (organization) => `De export van ${organization} is klaar`,
    export: (organization) =>
      `De export van ${organization} die je hebt gestart, is klaar. Download hem in de instellingen van de organisatie.`,
    ownExportSubject: (organization) => `Je gegevens van ${organization} staan klaar`,
    ownExport: (organization) =>
      `Je berichten, bestanden en instellingen in ${organization} staan klaar. Je kunt ze 7 dagen lang downloaden in je instellingen.`,
    openSettings: 'Instellingen openen',
  },
  welcome: {
    subject: (organization) => `Welkom bij ${organization}`,
    text: (organization, address) => `Je hebt nu een account bij ${organization}. Log in met ${address}.`,
    apps: (url) => `Serveradres voor apps: ${url}`,
  },
  signIn: {
    subject: (organization) => `Nieuwe login bij ${organization}`,
    text: (account, organization) =>
      `Er is met een nieuw apparaat ingelogd op je account ${account} bij ${organization}.`,
    textFrom: (account, organization, address) =>
      `Er is met een nieuw apparaat vanaf het adres ${address} ingelogd op je account ${account} bij ${organization}.`,
    device: 'Apparaat',
    unknownDevice: 'onbekend',
    time: 'Tijd',
    ifYou: 'Was jij dit, dan hoef je niets te doen. Log anders overal uit en kies een nieuw wachtwoord.',
    review: 'Sessies bekijken',
  },
  guessing: {
    subject: (organization) => `Veel mislukte inlogpogingen op je account bij ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} inlogpoging op je account ${account} bij ${organization} is binnen een uur mislukt. Misschien probeert iemand je wachtwoord te raden.`,
        other: `${count} inlogpogingen op je account ${account} bij ${organization} zijn binnen een uur mislukt. Misschien probeert iemand je wachtwoord te raden.`,
      }),
    advice:
      'Zo is niemand binnengekomen. Heb je zelf een verkeerd wachtwoord getypt, dan hoef je niets te doen. Gebruik anders een lang wachtwoord dat je nergens anders gebruikt, en een authenticator-app.',
    open: 'Account openen',
  },
  missed: {
    with: (name) => `Directe berichten met ${name}`,
    withGroup: (names) => `Directe groepsberichten met ${names}`,
    generalChat: 'algemene chat',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(verborgen)',
    more: (count) => plural(count, { one: `En nog ${count}.`, other: `En nog ${count}.` }),
    open: 'Gesprek openen',
    muteTopic: 'Dit onderwerp dempen',
    hiddenSubject: 'Nieuwe berichten',
    hiddenText: (count) =>
      plural(count, {
        one: 'Je hebt een nieuw bericht. Deze e-mail toont het niet vanwege een instelling van jou of van de organisatie.',
        other: `Je hebt ${count} nieuwe berichten. Deze e-mail toont ze niet vanwege een instelling van jou of van de organisatie.`,
      }),
    footer: (organization) =>
      `Je krijgt deze e-mail omdat je berichten in ${organization} hebt gemist. Antwoorden erop worden niet gelezen.`,
    footerReply: (organization) =>
      `Je krijgt deze e-mail omdat je berichten in ${organization} hebt gemist. Beantwoord de e-mail om in de chat te antwoorden.`,
  },
  test: {
    subject: 'Testmail',
    works: 'Je chatserver kan e-mail verzenden.',
  },
  digest: {
    subject: (organization) => `Je week in ${organization}`,
    text: (organization) => `Dit is er de afgelopen week gebeurd in ${organization}.`,
    unread: (count) =>
      plural(count, {
        one: `Je hebt ${count} ongelezen direct bericht.`,
        other: `Je hebt ${count} ongelezen directe berichten.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `Er is ${count} nieuw bericht in je kanalen.`,
        other: `Er zijn ${count} nieuwe berichten in je kanalen.`,
      }),
    topics: 'Actieve onderwerpen',
    topic: (count, names) =>
      plural(count, { one: `${count} bericht: ${names}`, other: `${count} berichten: ${names}` }),
    channels: 'Nieuwe kanalen',
    footer: (organization) =>
      `Je krijgt deze e-mail één keer per week omdat je ${organization} al enkele dagen niet hebt geopend.`,
  },
}
