import type { Language } from '../../core/mail/texts/plural.ts'

/**
 * The texts of the server's own pages. English determines which texts exist, and which of them take names. Names are HTML
 * already, and so is each text. A link or a piece of code in a text has tags.
 */
export const texts = {
  language: 'en' as Language,
  common: {
    continue: 'Continue',
    continueTo: (organization: string) => `Continue to ${organization}`,
    signIn: 'Sign in',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    haveAccount: 'Already have an account? <link>Sign in</link>',
    email: 'Email',
    password: 'Password',
    confirmPassword: 'Confirm password',
    yourName: 'Your name',
  },
  emailChange: {
    confirmTitle: 'Confirm your email address',
    confirmText: (from: string, to: string) => `The email address of your account will change from ${from} to ${to}.`,
    confirm: 'Confirm',
    changedTitle: 'Email address changed',
    changed: (address: string) => `Your account now has the address ${address}. Use it to sign in.`,
    undoTitle: 'Keep your email address',
    undoText: (kept: string, other: string) =>
      `Your account keeps the address ${kept} instead of ${other}, and you'll be signed out everywhere.`,
    undo: 'Keep my address',
    keptTitle: 'Email address kept',
    kept: (address: string) =>
      `Your account has the address ${address}, and you've been signed out everywhere. Someone else may know your password, so choose a new one.`,
    resetPassword: 'Reset password',
  },
  join: {
    title: 'Join',
    titleOf: (organization: string) => `Join ${organization}`,
    invitedAs: (address: string) => `You were invited as ${address}.`,
    action: 'Join',
    welcome: (organization: string) => `Welcome to ${organization}`,
    ready: (address: string) => `Your account is ready. Sign in as ${address} with your new password.`,
    signedIn: (address: string) => `Your account is ready, and you're signed in as ${address}.`,
    inApps: (address: string) => `To sign in from an app, add this server: ${address}`,
  },
  key: {
    title: 'Create an API key',
    signInTitle: 'Sign in to create an API key',
    signInFirst: '<link>Sign in with a password</link>, then open this page again.',
    name: 'Program name',
    intro: (name: string) => `Programs such as zulip-terminal sign in with a key. You're signed in as ${name}.`,
    action: 'Create key',
    confirm: "Confirm that it's you, because a key works until you revoke it.",
    signInAgain: 'Sign out, sign in again, and open this page within five minutes.',
    code: 'If you use a second factor, type its code right after your password.',
    readyTitle: 'Your new API key',
    ready:
      "Save this text as <code>zuliprc</code>. Any program with it can act as you. You won't be able to see the key again. You can revoke it in your settings, under Sessions and API keys.",
    download: 'Download zuliprc',
  },
  passwordReset: {
    title: 'Reset your password',
    intro: "Enter your account's email address. We'll send you a link to choose a new password.",
    action: 'Send link',
    sentTitle: 'Check your email',
    sent: (address: string) =>
      `If ${address} has an account here, we sent it a link to choose a new password. The link works for an hour.`,
    nothingArrived: 'Nothing arrived after a few minutes? Check the spam folder and the address.',
    back: 'Back to sign in',
  },
  password: {
    title: 'Choose a new password',
    for: (name: string, address: string) => `For ${name} (${address}).`,
    new: 'New password',
    confirmNew: 'Confirm new password',
    action: 'Set password',
    changedTitle: 'Password changed',
    changed: (address: string) =>
      `The password for ${address} was changed, and all other sessions were signed out. Sign in with the new password.`,
    changedHere: (address: string) =>
      `The password for ${address} was changed. You're signed in here and signed out everywhere else.`,
  },
  passwordStrength: {
    short: 'Too short',
    easy: 'Easy to guess. Try a few random words.',
    weak: 'Weak password',
    fair: 'Fair password',
    strong: 'Strong password',
  },
  setUp: {
    title: 'Set up your organization',
    intro: "You'll be the first owner. You can change all of this later in the settings.",
    organization: 'Organization name',
    action: 'Set up',
    readyTitle: (organization: string) => `${organization} is ready`,
    signIn: (address: string) => `Sign in as ${address} with the password you chose.`,
    signedIn: (address: string) => `You're signed in as ${address}.`,
    printed: 'The password and API key printed at first start no longer work.',
  },
  terms: {
    title: 'Terms',
    accept: 'I accept these terms',
    nothing: 'There is nothing to accept.',
  },
  unsubscribe: {
    missed: 'Stop emails about missed messages',
    missedText: (address: string) => `${address} will no longer get emails about missed messages.`,
    digest: 'Stop weekly emails',
    digestText: (address: string) => `${address} will no longer get weekly emails.`,
    topic: 'Mute this topic',
    topicText: (address: string) =>
      `${address} will no longer get emails about this topic, unless someone mentions you.`,
    action: 'Stop these emails',
    stoppedTitle: 'Emails stopped',
    missedStopped: "You'll no longer get emails about missed messages. You can turn them back on in your settings.",
    digestStopped: "You'll no longer get weekly emails. You can turn them back on in your settings.",
    topicStopped:
      "You'll no longer get emails about this topic, unless someone mentions you. The topic is muted. You can unmute it in the chat.",
  },
  signOn: {
    codeTitle: 'Enter your code',
    code: 'Code from your authenticator app, or a recovery code',
    linkTitle: 'Link your account',
    linkText:
      'You already have an account here. Enter its password once, and you can sign in with the provider from now on. If the account has a second factor, type its code right after the password.',
    link: 'Link and sign in',
    appTitle: (name: string) => `Sign in to the app as ${name}?`,
    appText: (name: string) =>
      `An app on this device wants to sign in as ${name}. Continue only if you just opened it.`,
    app: 'Sign in to the app',
    desktopTitle: 'Continue in the app',
    desktop: 'Copy this text and paste it into the desktop app. It works for 15 seconds.',
    setUpTitle: 'Set up your second factor',
    setUpText:
      'Your organization requires one. Scan this code with an authenticator app, or enter the key in it. Then type the code that the app shows.',
    qrCode: 'QR code for your authenticator app',
    openApp: 'Open the app on this device',
    appCode: 'Code of the app',
    codesTitle: 'Your recovery codes',
    codes:
      "Keep these recovery codes in a safe place. Each one signs you in once if you lose the app. They won't be shown again.",
  },
  signOnFailures: {
    provider_unreachable: 'The sign-in service is not answering. Try again in a few minutes.',
    denied: 'The sign-in was canceled.',
    attempt_expired: 'This sign-in has expired, was already used, or began in another browser. Start again.',
    rejected: 'The answer of the sign-in service is not valid. Start again.',
    not_in_group: "Your account there doesn't belong to a group that may sign in here. Ask your administrator.",
    not_invited: "You don't have an account here. Ask an administrator to invite you.",
    address_unverified: "Your email address isn't verified there, so no account can be created for it.",
    account_exists:
      'An account with your email address already exists here, and another way to sign in to it is needed.',
    deactivated: 'Your account has been deactivated.',
    not_named: 'The proxy in front of this server did not say who you are. Tell an administrator.',
    unknown_provider: 'This server has no such sign-in service.',
  },
  refusals: {
    passwordsDiffer: "The passwords don't match.",
    passwordShort: (least: string) => `Password must have at least ${least} characters.`,
    passwordLong: 'Password is too long.',
    passwordEasy: 'This password is easy to guess. Choose another one, such as a few random words.',
    wrongPassword: 'Your username or password is incorrect.',
    wrongCode: 'Wrong code. Codes change every 30 seconds, and each works once.',
    tooManyTries: 'Too many attempts. Try again later.',
    confirm: "Confirm that it's you.",
    signInExpired: 'This sign-in has expired. Start again.',
    passwordsOff: 'Passwords are turned off here. Sign in another way.',
    email: 'Enter a valid email address.',
    emailTaken: (address: string) => `Email '${address}' already in use.`,
    emailNotAllowed: 'Your email address is not in one of the domains that may have accounts here.',
    emailDisposable: 'Please use your real email address.',
    name: "This name isn't allowed. Choose another one.",
    nameTaken: 'Someone here already has this name. Choose another one.',
    linkUsed: 'This link has expired or was already used. Ask for a new one.',
    linkInvalid: 'This link is not valid.',
    invitationUsed: 'This invitation has expired or was already used. Ask for a new one.',
    inviterGone: "This invitation is no longer valid because its sender can't invite people. Ask for a new one.",
    invitationNeeded: 'This organization requires an invitation to join.',
    isSetUp: 'This organization is already set up. Sign in to change its settings.',
    setUpLink:
      'This link is incomplete. Open the entire link that the server printed, or run <code>chat-server org set-up</code> to print it again.',
    deactivated: 'Account is deactivated.',
    closed: 'This organization has been deactivated.',
    termsFirst: 'Accept the terms of the organization to continue.',
    noMail: "This server doesn't send email. Ask the people who run it to set it up.",
  },
}

export type FormTexts = typeof texts
