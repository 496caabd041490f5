import { MailFailed } from '../../../network/mail/mail-failed.ts'
import { addressKey } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf, type SystemTx } from '../../kernel/context.ts'
import { rendered } from '../letter.ts'
import type { MailService } from '../mail-service.ts'
import { dropMail, forgetCandidates, type MailRow, nextMail } from '../outbox.ts'
import { write } from './letters.ts'
import { tellOwners } from './tell-owners.ts'

/** Seconds to wait after each rejection that may pass. */
const WAITS = [60, 300, 1800, 7200, 21_600, 43_200, 86_400]
/** Seconds after which an email that was being sent when the process ended is sent again. */
const LEASE_SECONDS = 300

/** The mail server's state, for all emails. */
export interface ServerState {
  failed(failure: MailFailed): Promise<void>
  works(): Promise<void>
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
  if (await isSuppressed(context, address_key)) {
    return context.write((tx) => dropMail(tx, id, 'a mail server rejected an earlier email to this address'))
  }
  const sentTo = { address: to.address, address_key }
  try {
    await mail.send({
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
    })
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

const isSuppressed = async ({ db }: Context, address_key: string): Promise<boolean> =>
  (await db
    .selectFrom('mail_suppressed')
    .select('address_key')
    .where('address_key', '=', address_key)
    .executeTakeFirst()) !== undefined

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
  const { address, address_key, failure: reason } = about
  await tx.db
    .insertInto('mail_suppressed')
    .values({ address, address_key, reason, since: now })
    .onConflict((oc) => oc.column('address_key').doNothing())
    .execute()
  return 'suppressed'
}

/** Returns whether the address is bad. Codes 5.7.x (RFC 3463) are about rights and policies, such as relaying. */
const endsAddress = ({ step, permanent, reply = '' }: MailFailed): boolean =>
  step === 'recipient' && permanent && !/\b5\.7\.\d/.test(reply)
