import type { MailFailed } from '../../../network/mail/mail-failed.ts'
import { CONNECTIONS } from '../../../network/mail/mailer.ts'
import type { Db } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { type Lanes, type MessageWorker, startMessageWorker } from '../../messages/send/message-workers.ts'
import { noteMessages } from '../../push/note-messages.ts'
import { noteFailure, noteWorking } from '../health.ts'
import { type MailService, mailOf, mailPoolOf, rowInUse } from '../mail-service.ts'
import { type MailKind, nextMail } from '../outbox.ts'
import { deliver, type ServerState } from './deliver.ts'
import { enqueueDigests } from './enqueue-digests.ts'
import { ofMail, startNoting } from './note-missed.ts'

/** Seconds to wait after the mail server itself failed, for the first time and for the following ones. */
const PAUSES = [60, 300, 900]
const DAY = 86_400

/** Sends the emails of the outbox, in one process at a time. */
export function startMail(chat: Chat): MessageWorker {
  const context = contextOf(chat)
  // Nobody else can be sending what an ended process left. If processes share the database, its lease has to end first.
  let takesUp = storeOf(chat).peers === undefined
  /** Whether messages may have been sent while the server sent no email. */
  let isFresh = true
  let mail: MailService | undefined
  let server = serverOf(chat)
  let digestsAt = 0
  return startMessageWorker(chat, {
    name: 'email',
    failure: 'sending an email failed',
    receiver: 'mail_id',
    // Any message may be missed.
    async isNeeded() {
      const now = await mailOf(context)
      if (now !== mail) {
        // What is known of one mail server doesn't apply to another.
        server.end()
        server = serverOf(chat, mailPoolOf(chat).made?.row)
        mail = now
      }
      isFresh ||= !mail
      return mail !== undefined
    },
    async note() {
      if (isFresh) await context.write((tx) => prepare(tx, takesUp))
      isFresh = false
      takesUp = false
      while (await context.write((tx) => noteMessages(tx, ofMail), RELAXED));
    },
    async startDue(lanes) {
      if (!mail) return undefined
      const now = seconds(chat.clock)
      // A clock that was set back must not prolong the wait.
      if (now >= digestsAt || digestsAt > now + DAY) digestsAt = await enqueueDigests(chat)
      return Math.min((await startMails(lanes, mail, now)) ?? digestsAt, digestsAt)
    },
  })

  async function startMails({ underWay, start }: Lanes, mail: MailService, now: number): Promise<number | undefined> {
    const pausedUntil = server.pausedUntil()
    // A clock that was set back must not prolong the pause.
    if (pausedUntil > now && pausedUntil <= now + PAUSES.at(-1)!) return pausedUntil
    const { db, dialect } = storeOf(chat)
    const waiting = db
      .selectFrom('mail')
      .select(['id', 'next_at'])
      .where('state', 'in', ['queued', 'sending'])
      .where('id', 'not in', dialect.idsIn([...underWay.keys()]))
      .orderBy('next_at')
      .orderBy('id')
      .limit(CONNECTIONS + 1)
    // Somebody waits for these, and the others may be thousands.
    const first = await waiting.where('kind', 'not in', MANY).where('next_at', '<=', now).execute()
    for (const { id, next_at } of [...first, ...(await waiting.execute())]) {
      if (next_at > now) return next_at
      if (underWay.has(id) || underWay.size >= CONNECTIONS) continue
      const free_at = mail.rate && (await rateAllowsAt(db, mail.rate, { now, underWay: underWay.size }))
      if (free_at !== undefined && free_at > now) return free_at
      start(id, deliver(chat, mail, id, server))
    }
    return undefined
  }
}

/**
 * What the worker knows of the mail server, until another one is set up.
 *
 * @param row - the page's mail server
 */
function serverOf(chat: Chat, row?: string): ServerState & { pausedUntil(): number; end(): void } {
  const { clock, options } = chat
  const context = contextOf(chat)
  let failures = 0
  let pausedUntil = 0
  let isEnded = false
  /** Whether the database may say that the mail server fails: an earlier process, or this one, may have stored it. */
  let mayFail = true
  /** Stores something, unless owners have just set up another mail server, here or on another node. */
  const store = (work: (tx: SystemTx) => Promise<void>) =>
    context.write(async (tx) => {
      if ((await rowInUse(tx)) === row) await work(tx)
    })
  return {
    acceptsReturn: true,
    pausedUntil: () => pausedUntil,
    end() {
      isEnded = true
    },
    async failed(failure: MailFailed) {
      const now = seconds(clock)
      // Emails that were sent at the same time fail together.
      if (isEnded || pausedUntil > now) return
      pausedUntil = now + PAUSES[Math.min(failures, PAUSES.length - 1)]!
      if (failures++ === 0) options.logger.warn({ step: failure.step }, `email waits: ${failure.message}`)
      mayFail = true
      await store((tx) => noteFailure(tx, failure.message, now))
    },
    async works() {
      if (isEnded) return
      if (failures > 0) options.logger.info({}, 'email is sent again')
      failures = 0
      pausedUntil = 0
      if (!mayFail) return
      mayFail = false
      await store(noteWorking)
    },
  }
}

/** One message in the chat may cause thousands of these emails. */
const MANY: readonly MailKind[] = ['missed', 'digest']

/** Returns when the next email may be sent. Emails that were sent or rejected in the last seconds count, and those in progress. */
async function rateAllowsAt(
  db: Db,
  { emails, seconds: period }: NonNullable<MailService['rate']>,
  { now, underWay }: { now: number; underWay: number },
): Promise<number> {
  const recent = await db
    .selectFrom('mail')
    .select('ended_at')
    .where('state', 'in', ['sent', 'failed'])
    .where('ended_at', '>', now - period)
    .orderBy('ended_at', 'desc')
    .limit(emails)
    .execute()
  // Those in progress end before the next look.
  if (underWay >= emails) return now + 1
  const last = recent[emails - underWay - 1]?.ended_at
  return last == null ? now : last + period
}

/** After a power failure, messages are checked again because progress is lost with what was stored. */
const RELAXED = { relaxed: true }

async function prepare(tx: SystemTx, takesUp: boolean): Promise<void> {
  await startNoting(tx)
  if (!takesUp) return
  const now = seconds(tx.chat.clock)
  await tx.db.updateTable('mail').set({ state: 'queued', next_at: now }).where('state', '=', 'sending').execute()
  nextMail.invalidate(tx)
}
