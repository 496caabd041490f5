import { type OpenMailbox, openMailbox } from '../../../network/mail/imap.ts'
import type { ImapServer } from '../../../network/mail/imap-server.ts'
import { MailboxFailed } from '../../../network/mail/mailbox-failed.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../../kernel/context.ts'
import { noteMailboxFailure, noteMailboxWorking } from '../health.ts'
import { MAX_MAIL_BYTES } from './accept.ts'
import { createDeferred } from './deferred.ts'
import { takeMail } from './take-mail.ts'

/** Reads the email in a mailbox. */
export interface MailPoller {
  /** Ends the connection, and waits until an email that was read is stored. */
  close(): Promise<void>
}

/** How long to wait for the next look, with a server that announces email and with others. Some announce none of it. */
const ANNOUNCED_MS = 240_000
const POLL_MS = 60_000
/** How often a process that doesn't read looks whether it has to take over. */
const FOLLOWER_MS = 10_000
/** How long to wait after each failure in a row. */
const PAUSES_MS = [60_000, 300_000, 900_000]
/** Connections that may fail while they read the same email, until it is left where it is. */
const MAX_TRIES = 3
/** Emails in one look. The next one begins after them, because emails that can't be accepted now must not hide others. */
const MAX_UNREAD = 1000

/**
 * Reads the unread email of a mailbox, in one process at a time. An email is marked as read, or moved if it was rejected, after
 * what became of it is on disk. If the process ends in between, the email arrives as a second copy.
 */
export function startPolling(chat: Chat, server: ImapServer): MailPoller {
  const { clock, options } = chat
  const { most = MAX_UNREAD } = server
  const context = contextOf(chat)
  /** How often reading each email has failed. */
  const tries = new Map<number, number>()
  const deferred = createDeferred(clock)
  const abort = new AbortController()
  const { signal } = abort
  /** The email after which the next look begins. */
  let lookedUpTo = 0
  let failures = 0
  /** Whether the database may say that the mailbox fails: an earlier process, or this one, may have stored it. */
  let mayFail = true
  let wake = () => {}

  const wait = (ms: number, news?: Promise<void>) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const cancel = clock.after(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
      void news?.then(wake)
    })

  const mayRead = async () => !signal.aborted && leads(chat) && (await organizationIsOpen.get(context))

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pause = leads(chat) ? POLL_MS : FOLLOWER_MS
      try {
        if (await mayRead()) await readFor()
      } catch (error) {
        if (signal.aborted) return
        pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]!
        await failed(error)
      }
      // A server that ends every connection isn't asked more often than others.
      await wait(pause)
    }
  }

  /** Reads until the connection ends. */
  async function readFor(): Promise<void> {
    const mailbox = await openMailbox(server, MAX_MAIL_BYTES, signal)
    try {
      while (mailbox.isOpen && (await mayRead())) {
        const isDone = await readUnread(mailbox)
        await works()
        await wait(isDone && mailbox.announces ? ANNOUNCED_MS : POLL_MS, mailbox.news())
      }
    } finally {
      mailbox.close()
    }
  }

  /** Returns whether nothing is left that could be accepted later. */
  async function readUnread(from: OpenMailbox): Promise<boolean> {
    // Addresses that take no more email for now.
    const full = new Set<string>()
    const triedOf = (uid: number) => tries.get(uid) ?? 0
    const all = await from.unread()
    const start = all.findIndex((uid) => uid > lookedUpTo)
    const some = [...all.slice(Math.max(0, start)), ...all.slice(0, Math.max(0, start))].slice(0, most)
    let isDone = some.length === all.length
    lookedUpTo = isDone ? 0 : some.at(-1)!
    // The others don't wait for one that fails.
    some.sort((a, b) => triedOf(a) - triedOf(b) || a - b)
    for (const uid of some) {
      if (!(await mayRead())) return false
      const tried = triedOf(uid)
      if (tried >= MAX_TRIES) continue
      try {
        if ((await takeMail(chat, from, uid, { full, deferred })) === 'later') isDone = false
        else deferred.forget(uid)
        tries.delete(uid)
      } catch (error) {
        if (signal.aborted) throw error
        tries.set(uid, tried + 1)
        if (tried + 1 === MAX_TRIES)
          options.logger.warn({ uid, mailbox: server.mailbox }, 'an email can not be read, so it stays in the mailbox')
        throw error
      }
    }
    return isDone
  }

  async function failed(error: unknown): Promise<void> {
    if (!(error instanceof MailboxFailed)) options.logger.error({ err: error }, 'reading the mailbox failed')
    const reason = error instanceof MailboxFailed ? error.message : 'The email could not be stored'
    if (failures++ === 0) options.logger.warn({}, `email can't come in: ${reason}`)
    mayFail = true
    await context.write((tx) => noteMailboxFailure(tx, reason, seconds(clock))).catch(() => {})
  }

  async function works(): Promise<void> {
    if (failures > 0) options.logger.info({}, 'email can come in again')
    failures = 0
    if (!mayFail) return
    mayFail = false
    await context.write(noteMailboxWorking)
  }

  const running = run()
  return {
    async close() {
      abort.abort()
      wake()
      await running
    },
  }
}
