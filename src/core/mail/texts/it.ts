import type { MailTexts } from './en.ts'
import { pluralOf } from './plural.ts'

const plural = pluralOf('it')

export const texts: MailTexts = {
  common: {
    comma: ', ',
    labeled: (label, value) => `${label}: ${value}`,
    hello: (name) => `Ciao ${name},`,
    helloStranger: 'Ciao,',
    ignore: 'Se non è stata una tua richiesta, ignora questa email. Non è cambiato nulla.',
    stop: 'Non ricevere più queste email',
    openChat: 'Apri la chat',
  },
  invitation: {
    subject: (inviter, organization) => `${inviter} ti invita in ${organization}`,
    text: (inviter, address, organization) =>
      `${inviter} (${address}) ti invita a unirti a ${organization}, una chat di gruppo per team.`,
    join: (organization) => `Unisciti a ${organization}`,
    forYou: 'L’invito è solo per te. Se non conosci questa persona, ignora questa email.',
    forYouUntil: (day) =>
      `L’invito è solo per te. Scade il giorno ${day}. Se non conosci questa persona, ignora questa email.`,
  },
  passwordReset: {
    subject: (organization) => `Reimposta la password per ${organization}`,
    text: (address, organization) =>
      `Qualcuno ha richiesto una nuova password per il tuo account ${address} in ${organization}.`,
    choose: 'Scegli una nuova password',
    once: 'Il link funziona una sola volta entro un’ora. Chiude tutte le altre tue sessioni.',
    ignore: 'Se non è stata una tua richiesta, ignora questa email. La tua password resta la stessa.',
  },
  signUp: {
    existsSubject: (organization) => `Hai già un account in ${organization}`,
    exists: (address, organization) =>
      `Qualcuno ha provato a creare un account per ${address} in ${organization}. Ne hai già uno.`,
    signIn: (organization) => `Accedi a ${organization}`,
    confirmSubject: (organization) => `Conferma il tuo indirizzo email per ${organization}`,
    confirm: (address, organization) =>
      `Qualcuno, probabilmente tu, vuole creare un account per ${address} in ${organization}, una chat per team.`,
    create: 'Crea il tuo account',
    once: 'Il link funziona una sola volta entro un giorno. Se non è stata una tua richiesta, ignora questa email.',
  },
  emailChange: {
    confirmSubject: (organization) => `Conferma il tuo nuovo indirizzo email per ${organization}`,
    confirm: (address, organization) =>
      `Conferma che ${address} è il nuovo indirizzo del tuo account in ${organization}.`,
    confirmButton: 'Conferma questo indirizzo',
    day: 'Il link è valido per un giorno. Se non è stata una tua richiesta, ignora questa email.',
    changeSubject: (organization) => `Il tuo indirizzo email per ${organization} sta per cambiare`,
    change: (address, organization) =>
      `Il tuo account in ${organization} avrà l’indirizzo ${address} quando sarà confermato.`,
    keep: 'Se non è stata una tua richiesta, mantieni il tuo indirizzo ed esci ovunque. Il link è valido per 7 giorni:',
    keepButton: 'Mantieni il mio indirizzo',
    thenPassword: 'Poi scegli una nuova password.',
  },
  account: {
    deactivatedSubject: (organization) => `Il tuo account in ${organization} è stato disattivato`,
    deactivated: (address, organization) =>
      `Un amministratore ha disattivato il tuo account ${address} in ${organization}. Non puoi più accedere.`,
    theyWrote: 'Commento:',
    reactivatedSubject: (organization) => `Il tuo account in ${organization} è di nuovo attivo`,
    reactivated: (address, organization) =>
      `Un amministratore ha riattivato il tuo account ${address} in ${organization}. Accedi con la tua password.`,
    signIn: 'Accedi',
    exportSubject: (organization) => `L’esportazione di ${organization} è pronta`,
    export: (organization) =>
      `L’esportazione di ${organization} che hai avviato è pronta. Scaricala nelle impostazioni dell’organizzazione.`,
    ownExportSubject: (organization) => `I tuoi dati di ${organization} sono pronti`,
    ownExport: (organization) =>
      `I tuoi messaggi, file e impostazioni di ${organization} sono pronti. Puoi scaricarli nelle tue impostazioni per 7 giorni.`,
    openSettings: 'Apri le impostazioni',
  },
  welcome: {
    subject: (organization) => `Ti diamo il benvenuto in ${organization}`,
    text: (organization, address) => `Ora hai un account in ${organization}. Accedi con ${address}.`,
    apps: (url) => `Indirizzo del server per le app: ${url}`,
  },
  signIn: {
    subject: (organization) => `Nuovo accesso a ${organization}`,
    text: (account, organization) =>
      `Un nuovo dispositivo ha eseguito l’accesso al tuo account ${account} in ${organization}.`,
    textFrom: (account, organization, address) =>
      `Un nuovo dispositivo ha eseguito l’accesso al tuo account ${account} in ${organization} dall’indirizzo ${address}.`,
    device: 'Dispositivo',
    unknownDevice: 'sconosciuto',
    time: 'Ora',
    ifYou: 'Se si tratta di te, non devi fare nulla. Altrimenti esci ovunque e scegli una nuova password.',
    review: 'Controlla le tue sessioni',
  },
  guessing: {
    subject: (organization) => `Molti accessi non riusciti al tuo account in ${organization}`,
    text: (count, account, organization) =>
      plural(count, {
        one: `${count} accesso al tuo account ${account} in ${organization} non è riuscito nell’arco di un’ora. Qualcuno potrebbe tentare di indovinare la tua password.`,
        many: `${count} di accessi al tuo account ${account} in ${organization} non sono riusciti nell’arco di un’ora. Qualcuno potrebbe tentare di indovinare la tua password.`,
        other: `${count} accessi al tuo account ${account} in ${organization} non sono riusciti nell’arco di un’ora. Qualcuno potrebbe tentare di indovinare la tua password.`,
      }),
    advice:
      'Nessuno è entrato in questo modo. Se hai digitato tu una password sbagliata, non devi fare nulla. Altrimenti usa una password lunga che non usi altrove e un’app di autenticazione.',
    open: 'Apri il tuo account',
  },
  missed: {
    with: (name) => `Messaggi diretti con ${name}`,
    withGroup: (names) => `Messaggi diretti di gruppo con ${names}`,
    generalChat: 'chat generale',
    message: (sender, time) => `${sender}, ${time}:`,
    hidden: '(nascosto)',
    more: (count) =>
      plural(count, {
        one: `E un altro (${count}).`,
        many: `E altri ${count}.`,
        other: `E altri ${count}.`,
      }),
    open: 'Apri la conversazione',
    muteTopic: 'Silenzia questo argomento',
    hiddenSubject: 'Nuovi messaggi',
    hiddenText: (count) =>
      plural(count, {
        one: 'Hai un nuovo messaggio. Questa email non lo mostra per un’impostazione tua o dell’organizzazione.',
        many: `Hai ${count} di nuovi messaggi. Questa email non li mostra per un’impostazione tua o dell’organizzazione.`,
        other: `Hai ${count} nuovi messaggi. Questa email non li mostra per un’impostazione tua o dell’organizzazione.`,
      }),
    footer: (organization) =>
      `Ricevi questa email perché hai perso dei messaggi in ${organization}. Nessuno legge le risposte.`,
    footerReply: (organization) =>
      `Ricevi questa email perché hai perso dei messaggi in ${organization}. Rispondi per scrivere nella chat.`,
  },
  test: {
    subject: 'Email di prova',
    works: 'Il tuo server di chat può inviare email.',
  },
  digest: {
    subject: (organization) => `La tua settimana in ${organization}`,
    text: (organization) => `Ecco cosa è successo in ${organization} nell’ultima settimana.`,
    unread: (count) =>
      plural(count, {
        one: `Hai ${count} messaggio diretto non letto.`,
        many: `Hai ${count} di messaggi diretti non letti.`,
        other: `Hai ${count} messaggi diretti non letti.`,
      }),
    messages: (count) =>
      plural(count, {
        one: `C’è ${count} nuovo messaggio nei tuoi canali.`,
        many: `Ci sono ${count} di nuovi messaggi nei tuoi canali.`,
        other: `Ci sono ${count} nuovi messaggi nei tuoi canali.`,
      }),
    topics: 'Argomenti attivi',
    topic: (count, names) =>
      plural(count, {
        one: `${count} messaggio: ${names}`,
        many: `${count} di messaggi: ${names}`,
        other: `${count} messaggi: ${names}`,
      }),
    channels: 'Nuovi canali',
    footer: (organization) =>
      `Ricevi questa email una volta alla settimana perché non apri ${organization} da qualche giorno.`,
  },
}
