import type { MailboxHealth, MailHealth } from '../../src/core/mail/health.ts'

export interface Finding {
  name: string
  ok: boolean
  detail: string
}

/** What the outbox of email says. `configured` is unknown while the server is stopped. */
export interface Outbox extends MailHealth {
  configured?: boolean
}

export const finding = (name: string, ok: boolean, detail: string | number): Finding => ({
  name,
  ok,
  detail: String(detail),
})

/** Whether the organization is active. `since` is when it was deactivated, in seconds since 1970. */
export const organizationFinding = (since: number | null): Finding =>
  finding(
    'organization',
    true,
    since === null
      ? 'active'
      : `deactivated since ${new Date(since * 1000).toISOString()}; to reopen it, run "chat-server org reactivate"`,
  )

/** Identity providers that don't work now. A server without any has no line. */
export const signOnFindings = (problems: readonly string[] = []): Finding[] =>
  problems.map((problem) => finding('sign-on', false, problem))

/** Passkeys that browsers no longer offer, because the server's host name has changed. */
export const passkeyFindings = (lost = 0): Finding[] =>
  lost === 0
    ? []
    : [finding('passkeys', false, `${lost} belong to another host than --public-url, so nobody can sign in with them`)]

/** Whether the mail server takes the emails of the outbox. */
export function mailFinding({ configured, failure, since, counts }: Outbox): Finding {
  const waiting = counts.queued + counts.sending
  const numbers = `${waiting} waiting, ${counts.failed} failed`
  if (configured === false) {
    return finding('email', waiting === 0, `not configured; ${numbers}; see "chat-server mail list"`)
  }
  if (failure === null) return finding('email', true, numbers)
  const begun = new Date((since ?? 0) * 1000).toISOString()
  return finding('email', false, `waits since ${begun}: ${failure}; ${numbers}; try "chat-server mail test ADDRESS"`)
}

/** A mailbox that email comes in from and that can't be read. Without one there is no line. */
export const mailboxFindings = ({ failure, since }: MailboxHealth = { failure: null, since: null }): Finding[] =>
  failure === null
    ? []
    : [finding('incoming email', false, `waits since ${new Date((since ?? 0) * 1000).toISOString()}: ${failure}`)]
