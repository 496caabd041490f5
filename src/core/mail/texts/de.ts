import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('de')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Hallo ${name},`,
    helloStranger: 'Hallo,',
    ignore: 'Wenn du das nicht warst, ignoriere diese E-Mail. Es hat sich nichts geändert.',
    stop: 'Diese E-Mails abbestellen',
    openChat: 'Chat öffnen',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} hat dich zu ${organization} eingeladen`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) hat dich zu ${organization} eingeladen, einem Team-Chat.`,
    join: (organization) => `${organization} beitreten`,
    forYou: 'Die Einladung gilt nur für dich. Wenn du die Person nicht kennst, ignoriere diese E-Mail.',
    forYouUntil: (day) =>
      `Die Einladung gilt nur für dich. Sie läuft am ${day} ab. Wenn du die Person nicht kennst, ignoriere diese E-Mail.`,
  },
  passwordReset: {
    subject: (organization) => `Passwort für ${organization} zurücksetzen`,
    text: (address, organization) =>
      `Jemand hat für dein Konto ${address} bei ${organization} ein neues Passwort angefordert.`,
    choose: 'Neues Passwort wählen',
    once: 'Der Link funktioniert einmal innerhalb einer Stunde. Du wirst damit überall sonst abgemeldet.',
    ignore: 'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
  },
  signUp: {
    existsSubject: (organization) => `Du hast schon ein Konto bei ${organization}`,
    exists: (address, organization) =>
      `Jemand wollte für ${address} ein Konto bei ${organization} erstellen. Du hast schon eines.`,
    signIn: (organization) => `Bei ${organization} anmelden`,
    confirmSubject: (organization) => `Bestätige deine E-Mail-Adresse für ${organization}`,
    confirm: (address, organization) =>
      `Jemand, vermutlich du, möchte für ${address} ein Konto bei ${organization} erstellen, einem Team-Chat.`,
    create: 'Konto erstellen',
    once: 'Der Link funktioniert einmal innerhalb eines Tages. Wenn du das nicht warst, ignoriere diese E-Mail.',
  },
  emailChange: {
    confirmSubject: (organization) => `Bestätige deine neue E-Mail-Adresse für ${organization}`,
    confirm: (address, organization) =>
      `Bestätige, dass ${address} die neue Adresse deines Kontos bei ${organization} ist.`,
    confirmButton: 'Adresse bestätigen',
    day: 'Der Link gilt einen Tag. Wenn du das nicht warst, ignoriere diese E-Mail.',
    changeSubject: (organization) => `Deine E-Mail-Adresse für ${organization} wird geändert`,
    change: (address, organization) =>
      `Dein Konto bei ${organization} bekommt die Adresse ${address}, sobald sie bestätigt ist.`,
    keep: 'Wenn du das nicht warst, behalte deine Adresse und melde dich überall ab. Der Link gilt 7 Tage:',
    keepButton: 'Adresse behalten',
    thenPassword: 'Wähle danach ein neues Passwort.',
  },
  account: {
    deactivatedSubject: (organization) => `Dein Konto bei ${organization} wurde deaktiviert`,
    deactivated: (address, organization) =>
      `Ein Admin hat dein Konto ${address} bei ${organization} deaktiviert. Du kannst dich nicht mehr anmelden.`,
    theyWrote: 'Nachricht dazu:',
    reactivatedSubject: (organization) => `Dein Konto bei ${organization} ist wieder aktiv`,
    reactivated: (address, organization) =>
      `Ein Admin hat dein Konto ${address} bei ${organization} wieder aktiviert. Melde dich mit deinem Passwort an.`,
    signIn: 'Anmelden',
    exportSubject: (organization) => `Der Export von ${organization} ist fertig`,
    export: (organization) =>
      `Der Export von ${organization}, den du gestartet hast, ist fertig. Lade ihn in den Einstellungen der Organisation herunter.`,
    ownExportSubject: (organization) => `Deine Daten aus ${organization} sind bereit`,
    ownExport: (organization) =>
      `Deine Nachrichten, Dateien und Einstellungen in ${organization} stehen zum Herunterladen bereit. Das Archiv bleibt 7 Tage lang in deinen Einstellungen.`,
    openSettings: 'Einstellungen öffnen',
  },
  welcome: {
    subject: (organization) => `Willkommen bei ${organization}`,
    text: (organization, address) => `Du hast jetzt ein Konto bei ${organization}. Melde dich mit ${address} an.`,
    apps: (url) => `Serveradresse für Apps: ${url}`,
  },
  signIn: {
    subject: (organization) => `Neue Anmeldung bei ${organization}`,
    text: (account, organization) =>
      `Ein neues Gerät hat sich bei deinem Konto ${account} in ${organization} angemeldet.`,
    textFrom: (account, organization, address) =>
      `Ein neues Gerät hat sich von der Adresse ${address} bei deinem Konto ${account} in ${organization} angemeldet.`,
    device: 'Gerät',
    unknownDevice: 'unbekannt',
    time: 'Zeit',
    ifYou: 'Wenn du das warst, ist nichts zu tun. Melde dich sonst überall ab und wähle ein neues Passwort.',
    review: 'Sitzungen prüfen',
  },
  guessing: {
    subject: (organization) => `Viele fehlgeschlagene Anmeldungen bei deinem Konto in ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} Anmeldung bei deinem Konto ${account} in ${organization} ist innerhalb einer Stunde fehlgeschlagen. Vielleicht versucht jemand, dein Passwort zu erraten.`,
        other: `${count} Anmeldungen bei deinem Konto ${account} in ${organization} sind innerhalb einer Stunde fehlgeschlagen. Vielleicht versucht jemand, dein Passwort zu erraten.`,
      }),
    advice:
      'So ist niemand hineingekommen. Wenn du selbst ein falsches Passwort eingegeben hast, ist nichts zu tun. Verwende sonst ein langes Passwort, das du nirgendwo anders benutzt, und eine Authentifizierungs-App.',
    open: 'Konto öffnen',
  },
  missed: {
    with: (name) => `Direktnachrichten mit ${name}`,
    withGroup: (names) => `Gruppen-Direktnachrichten mit ${names}`,
    generalChat: 'allgemeiner Chat',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(ausgeblendet)',
    more: (count) => plural(count, { one: `Und ${count} weitere.`, other: `Und ${count} weitere.` }),
    open: 'Unterhaltung öffnen',
    muteTopic: 'Dieses Thema stummschalten',
    hiddenSubject: 'Neue Nachrichten',
    hiddenText: (count) =>
      plural(count, {
        one: 'Du hast eine neue Nachricht. Wegen einer Einstellung von dir oder der Organisation zeigt diese E-Mail sie nicht.',
        other: `Du hast ${count} neue Nachrichten. Wegen einer Einstellung von dir oder der Organisation zeigt diese E-Mail sie nicht.`,
      }),
    footer: (organization) =>
      `Du bekommst diese E-Mail, weil du Nachrichten in ${organization} verpasst hast. Antworten darauf liest niemand.`,
    footerReply: (organization) =>
      `Du bekommst diese E-Mail, weil du Nachrichten in ${organization} verpasst hast. Antworte darauf, um im Chat zu antworten.`,
  },
  test: {
    subject: 'Test-E-Mail',
    works: 'Dein Chat-Server kann E-Mails senden.',
  },
  digest: {
    subject: (organization) => `Deine Woche in ${organization}`,
    text: (organization) => `Das ist in der letzten Woche in ${organization} passiert.`,
    unread: (count) =>
      plural(count, {
        one: `Du hast ${count} ungelesene Direktnachricht.`,
        other: `Du hast ${count} ungelesene Direktnachrichten.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `In deinen Kanälen gibt es ${count} neue Nachricht.`,
        other: `In deinen Kanälen gibt es ${count} neue Nachrichten.`,
      }),
    topics: 'Aktive Themen',
    topic: (count, names) =>
      plural(count, { one: `${count} Nachricht: ${names}`, other: `${count} Nachrichten: ${names}` }),
    channels: 'Neue Kanäle',
    footer: (organization) =>
      `Du bekommst diese E-Mail einmal pro Woche, weil du ${organization} seit einigen Tagen nicht geöffnet hast.`,
  },
}
