import { pluralOf } from './plural.ts'

const plural = pluralOf('en')

/** The texts of emails. English determines which texts exist, and which of them take names and numbers. */
export const texts = {
  common: {
    comma: ', ',
    /** In front of a link or a value, as in "Device: phone". */
    labeled: (label: string, value: string) => `${label}: ${value}`,
    hello: (name: string) => `Hello ${name},`,
    helloStranger: 'Hello,',
    ignore: "If this wasn't you, ignore this email. Nothing has changed.",
    stop: 'Stop these emails',
    openChat: 'Open the chat',
  },
  invitation: {
    subject: (inviter: string, organization: string) => `${inviter} invited you to ${organization}`,
    text: (inviter: string, address: string, organization: string) =>
      `${inviter} (${address}) invited you to join ${organization}, a team chat.`,
    join: (organization: string) => `Join ${organization}`,
    forYou: "The invitation is for you alone. If you don't know the sender, ignore this email.",
    forYouUntil: (day: string) =>
      `The invitation is for you alone. It expires on ${day}. If you don't know the sender, ignore this email.`,
  },
  passwordReset: {
    subject: (organization: string) => `Reset your password for ${organization}`,
    text: (address: string, organization: string) =>
      `Someone asked to reset the password of your account ${address} in ${organization}.`,
    choose: 'Choose a new password',
    once: 'The link works once and expires after an hour. Using it signs you out everywhere else.',
    ignore: "If this wasn't you, ignore this email. Your password stays the same.",
  },
  signUp: {
    existsSubject: (organization: string) => `You already have an account in ${organization}`,
    exists: (address: string, organization: string) =>
      `Someone tried to create an account for ${address} in ${organization}. You already have one.`,
    signIn: (organization: string) => `Sign in to ${organization}`,
    confirmSubject: (organization: string) => `Confirm your email address for ${organization}`,
    confirm: (address: string, organization: string) =>
      `Someone, probably you, wants to create an account for ${address} in ${organization}, a team chat.`,
    create: 'Create your account',
    once: "The link works once and expires after a day. If this wasn't you, ignore this email.",
  },
  emailChange: {
    confirmSubject: (organization: string) => `Confirm your new email address for ${organization}`,
    confirm: (address: string, organization: string) =>
      `Confirm that ${address} is the new address of your account in ${organization}.`,
    confirmButton: 'Confirm this address',
    day: "The link is valid for a day. If this wasn't you, ignore this email.",
    changeSubject: (organization: string) => `Your email address for ${organization} is changing`,
    change: (address: string, organization: string) =>
      `The address of your account in ${organization} changes to ${address} once it is confirmed.`,
    keep: "If this wasn't you, keep your address and sign out everywhere. The link is valid for 7 days:",
    keepButton: 'Keep my address',
    thenPassword: 'Then choose a new password.',
  },
  account: {
    deactivatedSubject: (organization: string) => `Your account in ${organization} was deactivated`,
    deactivated: (address: string, organization: string) =>
      `An administrator deactivated your account ${address} in ${organization}. You can't sign in anymore.`,
    theyWrote: 'They wrote:',
    reactivatedSubject: (organization: string) => `Your account in ${organization} is active again`,
    reactivated: (address: string, organization: string) =>
      `An administrator reactivated your account ${address} in ${organization}. Sign in with your password.`,
    signIn: 'Sign in',
    exportSubject: (organization: string) => `The export of ${organization} is ready`,
    export: (organization: string) =>
      `The export of ${organization} that you started is ready. Download it in the organization's settings.`,
    ownExportSubject: (organization: string) => `Your data from ${organization} is ready`,
    ownExport: (organization: string) =>
      `Your messages, files and settings in ${organization} are ready to download. You find the archive in your settings for 7 days.`,
    openSettings: 'Open the settings',
  },
  welcome: {
    subject: (organization: string) => `Welcome to ${organization}`,
    text: (organization: string, address: string) =>
      `You now have an account in ${organization}. Sign in with ${address}.`,
    apps: (url: string) => `Server address for apps: ${url}`,
  },
  signIn: {
    subject: (organization: string) => `New sign-in to ${organization}`,
    text: (account: string, organization: string) =>
      `A new device signed in to your account ${account} in ${organization}.`,
    textFrom: (account: string, organization: string, address: string) =>
      `A new device signed in to your account ${account} in ${organization} from the address ${address}.`,
    device: 'Device',
    unknownDevice: 'unknown',
    time: 'Time',
    ifYou: "If this was you, there's nothing to do. Otherwise sign out everywhere, and choose a new password.",
    review: 'Review your sessions',
  },
  guessing: {
    subject: (organization: string) => `Many failed sign-ins to your account in ${organization}`,
    text: (count: number, account: string, organization: string) =>
      plural(count, {
        one: `${count} sign-in to your account ${account} in ${organization} failed within an hour. Someone may be guessing your password.`,
        other: `${count} sign-ins to your account ${account} in ${organization} failed within an hour. Someone may be guessing your password.`,
      }),
    advice:
      "None of these attempts succeeded. If you typed a wrong password yourself, there's nothing to do. Otherwise use a long password that you use nowhere else, and an authenticator app.",
    open: 'Open your account',
  },
  missed: {
    with: (name: string) => `DMs with ${name}`,
    withGroup: (names: string) => `Group DMs with ${names}`,
    generalChat: 'general chat',
    message: (sender: string, time: string) => `${sender}, ${time}:`,
    hidden: '(hidden)',
    more: (count: number) => plural(count, { one: `And ${count} more.`, other: `And ${count} more.` }),
    open: 'Open the conversation',
    muteTopic: 'Mute this topic',
    hiddenSubject: 'New messages',
    hiddenText: (count: number) =>
      plural(count, {
        one: "You have a new message. This email doesn't show it because of your settings or your organization's.",
        other: `You have ${count} new messages. This email doesn't show them because of your settings or your organization's.`,
      }),
    footer: (organization: string) =>
      `You're receiving this email because you missed messages in ${organization}. Replies to it aren't read.`,
    footerReply: (organization: string) =>
      `You're receiving this email because you missed messages in ${organization}. Reply to it to answer in the chat.`,
  },
  test: {
    subject: 'Test email',
    works: 'Your chat server can send email.',
  },
  digest: {
    subject: (organization: string) => `Your week in ${organization}`,
    text: (organization: string) => `This is what happened in ${organization} in the last week.`,
    unread: (count: number) =>
      plural(count, {
        one: `You have ${count} unread direct message.`,
        other: `You have ${count} unread direct messages.`,
      }),
    messages: (count: number) =>
      plural(count, {
        one: `There is ${count} new message in your channels.`,
        other: `There are ${count} new messages in your channels.`,
      }),
    topics: 'Active topics',
    topic: (count: number, names: string) =>
      plural(count, { one: `${count} message: ${names}`, other: `${count} messages: ${names}` }),
    channels: 'New channels',
    footer: (organization: string) =>
      `You receive this email once a week because you haven't opened ${organization} for several days.`,
  },
}

export type MailTexts = typeof texts
