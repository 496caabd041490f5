import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('pl')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Cześć, ${name}!`,
    helloStranger: 'Dzień dobry!',
    ignore: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Nic się nie zmieniło.',
    stop: 'Zrezygnuj z tych e-maili',
    openChat: 'Otwórz czat',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} zaprasza Cię do: ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) zaprasza Cię do czatu zespołowego organizacji ${organization}.`,
    join: (organization) => `Dołącz do: ${organization}`,
    forYou: 'Zaproszenie jest tylko dla Ciebie. Jeśli nie znasz tej osoby, zignoruj tę wiadomość.',
    forYouUntil: (day) =>
      `Zaproszenie jest tylko dla Ciebie. Wygasa: ${day}. Jeśli nie znasz tej osoby, zignoruj tę wiadomość.`,
  },
  passwordReset: {
    subject: (organization) => `Zresetuj hasło: ${organization}`,
    text: (address, organization) =>
      `Ktoś poprosił o nowe hasło do Twojego konta ${address} w organizacji ${organization}.`,
    choose: 'Ustaw nowe hasło',
    once: 'Link działa jeden raz w ciągu godziny. Wszystkie inne sesje zostaną zakończone.',
    ignore: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Twoje hasło się nie zmieni.',
  },
  signUp: {
    existsSubject: (organization) => `Masz już konto w organizacji ${organization}`,
    exists: (address, organization) =>
      `Ktoś próbował utworzyć konto ${address} w organizacji ${organization}. Masz już konto.`,
    signIn: (organization) => `Zaloguj się: ${organization}`,
    confirmSubject: (organization) => `Potwierdź swój adres e-mail: ${organization}`,
    confirm: (address, organization) =>
      `Ktoś, prawdopodobnie Ty, chce utworzyć konto ${address} w czacie zespołowym organizacji ${organization}.`,
    create: 'Utwórz konto',
    once: 'Link działa jeden raz w ciągu doby. Jeśli to nie Twoja prośba, zignoruj tę wiadomość.',
  },
  emailChange: {
    confirmSubject: (organization) => `Potwierdź swój nowy adres e-mail: ${organization}`,
    confirm: (address, organization) =>
      `Potwierdź, że ${address} to nowy adres Twojego konta w organizacji ${organization}.`,
    confirmButton: 'Potwierdź ten adres',
    day: 'Link jest ważny przez dobę. Jeśli to nie Twoja prośba, zignoruj tę wiadomość.',
    changeSubject: (organization) => `Twój adres e-mail się zmienia: ${organization}`,
    change: (address, organization) =>
      `Twoje konto w organizacji ${organization} otrzyma adres ${address}, gdy zostanie on potwierdzony.`,
    keep: 'Jeśli to nie Twoja prośba, zachowaj swój adres i wyloguj się wszędzie. Link jest ważny przez 7 dni:',
    keepButton: 'Zachowaj mój adres',
    thenPassword: 'Potem ustaw nowe hasło.',
  },
  account: {
    deactivatedSubject: (organization) => `Twoje konto w organizacji ${organization} zostało dezaktywowane`,
    deactivated: (address, organization) =>
      `Administrator dezaktywował Twoje konto ${address} w organizacji ${organization}. Nie można się już na nie zalogować.`,
    theyWrote: 'Komentarz:',
    reactivatedSubject: (organization) => `Twoje konto w organizacji ${organization} jest znowu aktywne`,
    reactivated: (address, organization) =>
      `Administrator przywrócił Twoje konto ${address} w organizacji ${organization}. Zaloguj się swoim hasłem.`,
    signIn: 'Zaloguj się',
    exportSubject: (organization) => `Eksport jest gotowy: ${organization}`,
    export: (organization) =>
      `Zlecony eksport danych organizacji ${organization} jest gotowy. Pobierz go w ustawieniach organizacji.`,
    ownExportSubject: (organization) => `Twoje dane są gotowe: ${organization}`,
    ownExport: (organization) =>
      `Twoje wiadomości, pliki i ustawienia z organizacji ${organization} są gotowe. Przez 7 dni możesz je pobrać w swoich ustawieniach.`,
    openSettings: 'Otwórz ustawienia',
  },
  welcome: {
    subject: (organization) => `Witamy w organizacji ${organization}`,
    text: (organization, address) =>
      `Twoje konto w organizacji ${organization} jest gotowe. Zaloguj się, używając adresu ${address}.`,
    apps: (url) => `Adres serwera dla aplikacji: ${url}`,
  },
  signIn: {
    subject: (organization) => `Nowe logowanie: ${organization}`,
    text: (account, organization) =>
      `Zalogowano się z nowego urządzenia na Twoje konto ${account} w organizacji ${organization}.`,
    textFrom: (account, organization, address) =>
      `Zalogowano się z nowego urządzenia na Twoje konto ${account} w organizacji ${organization} z adresu ${address}.`,
    device: 'Urządzenie',
    unknownDevice: 'nieznane',
    time: 'Czas',
    ifYou:
      'Jeśli to Twoje logowanie, nie musisz nic robić. W przeciwnym razie wyloguj się wszędzie i ustaw nowe hasło.',
    review: 'Sprawdź sesje',
  },
  guessing: {
    subject: (organization) => `Wiele nieudanych logowań na Twoje konto w organizacji ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} logowanie na Twoje konto ${account} w organizacji ${organization} nie powiodło się w ciągu godziny. Możliwe, że ktoś zgaduje Twoje hasło.`,
        few: `${count} logowania na Twoje konto ${account} w organizacji ${organization} nie powiodły się w ciągu godziny. Możliwe, że ktoś zgaduje Twoje hasło.`,
        many: `${count} logowań na Twoje konto ${account} w organizacji ${organization} nie powiodło się w ciągu godziny. Możliwe, że ktoś zgaduje Twoje hasło.`,
        other: `${count} logowania na Twoje konto ${account} w organizacji ${organization} nie powiodło się w ciągu godziny. Możliwe, że ktoś zgaduje Twoje hasło.`,
      }),
    advice:
      'Nikt się w ten sposób nie zalogował. Jeśli to Ty wpisujesz błędne hasło, nie musisz nic robić. W przeciwnym razie użyj długiego hasła, którego nie używasz nigdzie indziej, oraz aplikacji uwierzytelniającej.',
    open: 'Otwórz konto',
  },
  missed: {
    with: (name) => `Wiadomości prywatne: ${name}`,
    withGroup: (names) => `Grupowe wiadomości prywatne: ${names}`,
    generalChat: 'czat ogólny',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(ukryte)',
    more: (count) =>
      plural(count, {
        one: `I jeszcze ${count}.`,
        few: `I jeszcze ${count}.`,
        many: `I jeszcze ${count}.`,
        other: `I jeszcze ${count}.`,
      }),
    open: 'Otwórz rozmowę',
    muteTopic: 'Wycisz ten temat',
    hiddenSubject: 'Nowe wiadomości',
    hiddenText: (count) =>
      plural(count, {
        one: 'Masz nową wiadomość. Ten e-mail jej nie pokazuje ze względu na ustawienia Twoje lub organizacji.',
        few: `Masz ${count} nowe wiadomości. Ten e-mail ich nie pokazuje ze względu na ustawienia Twoje lub organizacji.`,
        many: `Masz ${count} nowych wiadomości. Ten e-mail ich nie pokazuje ze względu na ustawienia Twoje lub organizacji.`,
        other: `Masz ${count} nowej wiadomości. Ten e-mail ich nie pokazuje ze względu na ustawienia Twoje lub organizacji.`,
      }),
    footer: (organization) =>
      `Ten e-mail wysłano, bo masz nieprzeczytane wiadomości w organizacji ${organization}. Nikt nie czyta odpowiedzi na niego.`,
    footerReply: (organization) =>
      `Ten e-mail wysłano, bo masz nieprzeczytane wiadomości w organizacji ${organization}. Odpowiedz na niego, aby odpowiedzieć na czacie.`,
  },
  test: {
    subject: 'E-mail testowy',
    works: 'Twój serwer czatu może wysyłać e-maile.',
  },
  digest: {
    subject: (organization) => `Twój tydzień: ${organization}`,
    text: (organization) => `Oto co wydarzyło się w ostatnim tygodniu w organizacji ${organization}.`,
    unread: (count) =>
      plural(count, {
        one: `Masz ${count} nieprzeczytaną wiadomość prywatną.`,
        few: `Masz ${count} nieprzeczytane wiadomości prywatne.`,
        many: `Masz ${count} nieprzeczytanych wiadomości prywatnych.`,
        other: `Masz ${count} nieprzeczytanej wiadomości prywatnej.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `W Twoich kanałach jest ${count} nowa wiadomość.`,
        few: `W Twoich kanałach są ${count} nowe wiadomości.`,
        many: `W Twoich kanałach jest ${count} nowych wiadomości.`,
        other: `W Twoich kanałach jest ${count} nowej wiadomości.`,
      }),
    topics: 'Aktywne tematy',
    topic: (count, names) =>
      plural(count, {
        one: `${count} wiadomość: ${names}`,
        few: `${count} wiadomości: ${names}`,
        many: `${count} wiadomości: ${names}`,
        other: `${count} wiadomości: ${names}`,
      }),
    channels: 'Nowe kanały',
    footer: (organization) =>
      `Ten e-mail wysyłamy raz w tygodniu, gdy organizacja ${organization} nie była przez kilka dni otwierana z Twojego konta.`,
  },
}
