import * as v from 'valibot'
import { MailFailed } from '../../network/mail/mail-failed.ts'
import { email } from '../accounts/create.ts'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, integer, line } from '../kernel/fields.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { mailFailureCode, mailFailures } from '../mail/failure-code.ts'
import { mailboxHealth, mailHealth } from '../mail/health.ts'
import { requireMail, sendsMail } from '../mail/mail-service.ts'
import { dropWaiting, mailStates, retryWaiting, selectMails, suppressedAddresses } from '../mail/manage.ts'
import { readerOf } from '../mail/reader.ts'
import { mailLockOf, mailLocks, mailServerShape, shownMailServer } from '../mail/shown-server.ts'
import { liftSuppression } from '../mail/suppressed.ts'
import { sendTestMail } from '../mail/test-mail.ts'
import { empty, id as idShape, unixTime } from '../shapes/values.ts'

const PAGE = 200

const mailShape = v.strictObject({
  id: idShape,
  /** What it is about, such as `invitation` or `missed`. */
  kind: v.string(),
  /** Where it goes; null if the account is gone. */
  address: v.nullable(v.string()),
  state: v.picklist(mailStates),
  /** How often a mail server rejected it. */
  attempts: integer,
  /** When it is tried next, if it waits. */
  next_at: unixTime,
  /** Why it failed or was dropped, or why it waits. */
  failure: v.nullable(v.string()),
  /** The code of `failure`; null for a mail server's reply. */
  failure_code: v.nullable(v.picklist(mailFailures)),
  created_at: unixTime,
})

/**
 * GET /mail: lists the emails of the outbox, newest first, with the state of the mail server and the addresses that get
 * no email.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @example
 * const { mails, failure } = await listMail(admin, { state: 'failed' })
 */
export const listMail = action(
  {
    name: 'listMail',
    summary: 'List the emails of the outbox',
    params: v.object({
      state: described(v.nullish(v.picklist(mailStates, 'Invalid {name}')), 'Only emails in this state.'),
      before: described(v.nullish(id), 'Only emails before this one: `next` of the previous page.'),
      count: described(
        v.nullish(v.pipe(integer, v.minValue(1, '{name} must be positive'), v.maxValue(PAGE, `At most ${PAGE}`)), 50),
        'Emails in the response, at most 200.',
      ),
    }),
    result: v.strictObject({
      /** Whether this server sends email. */
      configured: v.boolean(),
      /** Why the mail server doesn't accept email now; null if it does. Emails wait until it does. */
      failure: v.nullable(v.string()),
      /** Since when. */
      failing_since: v.nullable(unixTime),
      /** The mail server that owners set up with `PUT /mail/server`; null if there is none. */
      server: v.nullable(mailServerShape),
      /** Why owners can't set one up: `--mail-url` is given, the operator forbids it, or `--public-url` is missing. */
      server_lock: v.nullable(v.picklist(mailLocks)),
      /** Why email can't be received from the mailbox of `--mail-in`; null if it can, and without one. */
      mailbox_failure: v.nullable(v.string()),
      /** Since when. */
      mailbox_failing_since: v.nullable(unixTime),
      counts: v.strictObject({
        queued: integer,
        sending: integer,
        sent: integer,
        failed: integer,
        dropped: integer,
      }),
      mails: v.array(mailShape),
      /** The `before` of the next page; null on the last. */
      next: v.nullable(integer),
      /** Addresses that get no email, because a mail server rejected them for good. */
      suppressed: v.array(v.strictObject({ address: v.string(), reason: v.string(), since: unixTime })),
    }),
    role: 'owner',
  },
  async (caller, { state, before, count }) => {
    const size = count ?? 50
    let query = selectMails(caller)
      .orderBy('mail.id', 'desc')
      .limit(size + 1)
    if (state != null) query = query.where('mail.state', '=', state)
    if (before != null) query = query.where('mail.id', '<', before)
    const found = await query.execute()
    const mails = found.slice(0, size).map((mail) => ({ ...mail, failure_code: mailFailureCode(mail.failure) }))
    const { failure, since, counts } = await mailHealth(caller.db)
    const mailbox = await mailboxHealth(caller.db)
    return {
      configured: await sendsMail(caller),
      failure,
      failing_since: since,
      server: await shownMailServer(caller),
      server_lock: mailLockOf(caller.chat),
      mailbox_failure: mailbox.failure,
      mailbox_failing_since: mailbox.since,
      counts,
      mails,
      next: found.length > size ? mails.at(-1)!.id : null,
      suppressed: await suppressedAddresses(caller),
    }
  },
)

const params = v.object({ mail_id: described(id, 'ID of the email.') })

/**
 * POST /mail/{mail_id}/retry: sends an email again as soon as possible, even if email to its address was stopped.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none, and if it was sent or dropped
 */
export const retryMail = action(
  {
    name: 'retryMail',
    summary: 'Send an email again',
    audit: { subject: 'mail', id: ({ mail_id }) => mail_id, details: () => ({ email: 'sent again' }) },
    params,
    result: empty,
    role: 'owner',
  },
  (caller, { mail_id }) =>
    caller.write(async (tx) => {
      await retryWaiting(tx, mail_id)
      return {}
    }),
)

/**
 * DELETE /mail/{mail_id}: cancels an email that waits.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if there is none, and if it was sent or dropped, or has failed
 */
export const dropMail = action(
  {
    name: 'dropMail',
    summary: 'Cancel an email',
    audit: { subject: 'mail', id: ({ mail_id }) => mail_id },
    params,
    result: empty,
    role: 'owner',
  },
  (caller, { mail_id }) =>
    caller.write(async (tx) => {
      await dropWaiting(tx, mail_id)
      return {}
    }),
)

/**
 * POST /mail/test: sends a test email, and returns what the mail server replies.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws MAIL_NOT_CONFIGURED if the server sends no email
 * @throws BAD_REQUEST with the step that failed
 */
export const testMail = action(
  {
    name: 'testMail',
    summary: 'Send a test email',
    params: v.object({ email: described(email, 'Where it goes.') }),
    result: v.strictObject({ reply: v.string() }),
    role: 'owner',
    errors: ['MAIL_NOT_CONFIGURED'],
  },
  async (caller, { email: address }) => {
    const { clock, random } = caller.chat
    const reader = await readerOf(caller, caller.user)
    const from = { publicUrl: publicUrlOf(caller.chat), clock, random, reader }
    const mail = await requireMail(caller)
    try {
      return { reply: await sendTestMail(mail, address, from) }
    } catch (error) {
      throw error instanceof MailFailed ? badRequest(error.message) : error
    }
  },
)

/**
 * DELETE /mail/suppressed: allows email to an address again after a mail server rejected it for good.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if emails to it aren't stopped
 */
export const allowMailTo = action(
  {
    name: 'allowMailTo',
    summary: 'Send email to an address again',
    audit: { subject: 'organization', details: ({ address }) => ({ emails_again_to: address }) },
    params: v.object({ address: described(line, 'The address.') }),
    result: empty,
    role: 'owner',
  },
  (caller, { address }) =>
    caller.write(async (tx) => {
      if (!(await liftSuppression(tx, address))) throw badRequest('Emails to this address are not stopped')
      return {}
    }),
)
