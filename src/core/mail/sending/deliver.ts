import type { Mail } from '../../../network/mail/mail.ts'
import { MailFailed } from '../../../network/mail/mail-failed.ts'
import { addressKey } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { bounceAddressOf } from '../bounce-address.ts'
import { rendered } from '../letter.ts'
import type { MailService } from '../mail-service.ts'
import { dropMail, forgetCandidates, type MailKind, type MailRow, nextMail } from '../outbox.ts'
import { isPolicy, isSuppressed, suppress } from '../suppressed.ts'
import { write } from './letters.ts'
import { tellOwners } from './tell-owners.ts'

/** Seconds to wait after each rejection that may pass. */
const WAITS = [60, 300, 1800, 7200, 21_600, 43_200, 86_400]
/** Seconds after which an email that was being sent when the process ended is sent again. */
const LEASE_SECONDS = 300

/** Emails that go to a suppressed address, too. Their links prove that it works again. */
const proofs: ReadonlySet<string> = new Set<MailKind>(['email_confirmation', 'password_reset'])

/** The mail server's state, for all emails. */
export interface ServerState {
  failed(failure: MailFailed): Promise<void>
  works(): Promise<void>
  /** Whether it accepts senders of the domain to which emails come back. */
  acceptsReturn: boolean
}

/** Sends an email, unless it became pointless. Its row says what happened. */
export async function deliver(chat: Chat, mail: MailService, id: number, server: ServerState): Promise<void> {
  const context = contextOf(chat, { client: 'email' })
  const row = await context.write((tx) => lease(tx, id))
  if (!row) return
  const written = await write(context, row)
  if ('pointless' in written) return context.write((tx) => dropMail(tx, id, written.pointless))
  if ('later' in written) return context.write((tx) => change(tx, id, { state: 'queued', next_at: written.later }))
  const { to, headers = {}, reader, ...letter } = written
  const address_key = addressKey(to.address)
  if (!proofs.has(row.kind) && (await isSuppressed(context, address_key))) {
    return context.write((tx) => dropMail(tx, id, 'a mail server rejected an earlier email to this address'))
  }
  const sentTo = { address: to.address, address_key }
  const email = {
    from: mail.from,
    to,
    messageId: row.message_id,
    date: new Date(chat.clock.now()),
    ...rendered(letter, reader),
    headers: {
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'content-language': reader.tag,
      ...headers,
    },
  }
  try {
    await sendFrom(chat, mail, email, bounceAddressOf(chat, row), server)
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    if (error.isOfServer) await server.failed(error)
    const ended = await context.write((tx) => settle(tx, row, { ...sentTo, failure: error.message }, error))
    if (ended) await tellOwners(chat, to.address, error.message, ended === 'suppressed')
    return
  }
  await server.works()
  const sent = { state: 'sent', data: '{}', failure: null, ended_at: seconds(chat.clock), ...sentTo } as const
  await context.write(async (tx) => {
    await change(tx, id, sent)
    await forgetCandidates(tx, id)
  })
}

/** Sends an email that comes back to the chat. Mail servers may accept only the domain of the sender. */
async function sendFrom(
  { options }: Chat,
  { send }: MailService,
  email: Mail,
  returnTo: string | undefined,
  server: ServerState,
): Promise<void> {
  if (returnTo === undefined || !server.acceptsReturn) return void (await send(email))
  try {
    await send({ ...email, returnTo })
  } catch (error) {
    if (!(error instanceof MailFailed && error.step === 'sender')) throw error
    await send(email)
    // A server that is busy, or verifies the sender first, may accept the next.
    if (!error.permanent) return
    server.acceptsReturn = false
    options.logger.warn({}, `emails that come back are not noticed: ${error.message}`)
  }
}

async function change(tx: SystemTx, id: number, values: Partial<MailRow>): Promise<void> {
  await tx.db.updateTable('mail').set(values).where('id', '=', id).execute()
  nextMail.invalidate(tx)
}

/** Reserves an email for this process for a while; undefined if it has ended or is given up. */
async function lease(tx: SystemTx, id: number): Promise<MailRow | undefined> {
  const now = seconds(tx.chat.clock)
  const row = await tx.db
    .selectFrom('mail')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .where('next_at', '<=', now)
    .executeTakeFirst()
  if (!row) return undefined
  if (now >= row.expires_at) {
    const gaveUp = { failure: `given up: ${row.failure ?? 'too late'}`, ended_at: now }
    await change(tx, id, { state: row.failure === null ? 'dropped' : 'failed', ...gaveUp })
    return undefined
  }
  await change(tx, id, { state: 'sending', next_at: now + LEASE_SECONDS })
  return row
}

/** Stores what a failure means for an email, and returns whether it has ended, and whether its address has, too. */
async function settle(
  tx: SystemTx,
  row: MailRow,
  about: { address: string; address_key: string; failure: string },
  error: MailFailed,
): Promise<'failed' | 'suppressed' | undefined> {
  const now = seconds(tx.chat.clock)
  if (error.isOfServer) {
    // The email is not at fault, so its attempts don't count.
    await change(tx, row.id, { ...about, state: 'queued', next_at: now })
    return undefined
  }
  const wait = WAITS[row.attempts]
  if (!error.permanent && wait !== undefined && now + wait < row.expires_at) {
    await change(tx, row.id, { ...about, state: 'queued', attempts: row.attempts + 1, next_at: now + wait })
    return undefined
  }
  await change(tx, row.id, { ...about, state: 'failed', attempts: row.attempts + 1, ended_at: now })
  if (!endsAddress(error)) return 'failed'
  await suppress(tx, { address: about.address, address_key: about.address_key, reason: about.failure })
  return 'suppressed'
}

/** Returns whether the address is bad. */
const endsAddress = ({ step, permanent, reply = '' }: MailFailed): boolean =>
  step === 'recipient' && permanent && !isPolicy(reply)
