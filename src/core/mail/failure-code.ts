export const mailFailures = ['gone', 'outdated', 'nothing', 'rejected', 'canceled', 'limit', 'too_late'] as const
export type MailFailureCode = (typeof mailFailures)[number]

/** The sentences of each code, as the outbox stores them. */
const sentences: Readonly<Record<MailFailureCode, RegExp>> = {
  gone: /^the account (?:is deactivated|does not exist anymore)$|^no account has|^the address belongs to a deactivated/,
  outdated:
    / again$|was confirmed, undone|was deleted$|was used or revoked$|no (?:longer valid|use for)|who invited is|does not accept this/,
  nothing: /^the messages were read|switched off$|^the person has been there|^nothing happened$/,
  rejected: /^a mail server rejected an earlier/,
  canceled: /^dropped by an administrator$/,
  limit: /got enough of these emails$/,
  too_late: /^given up: too late$/,
}

/** Returns the code of why an email wasn't sent, which clients word in their languages; null for a mail server's reply. */
export const mailFailureCode = (failure: string | null): MailFailureCode | null =>
  failure === null ? null : (mailFailures.find((code) => sentences[code].test(failure)) ?? null)
