import type { OpenMailbox } from '../../../network/mail/imap.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { acceptMail, MAX_MAIL_BYTES, MAX_RECIPIENTS, refusal } from './accept.ts'
import type { Deferred } from './deferred.ts'
import { requireRate } from './received.ts'
import { recipientsIn } from './recipients.ts'
import { MailRefused } from './refused.ts'
import { findArrival } from './target.ts'

/**
 * Posts an email from a mailbox, and then marks it as read, or moves it if it is rejected for good. If it can't be accepted now, it
 * stays unchanged.
 *
 * @param full - recipients that take no more email in this look; another one is added
 * @param deferred - emails that aren't read again yet; another one is added
 */
export async function takeMail(
  chat: Chat,
  mailbox: OpenMailbox,
  uid: number,
  { full, deferred }: { full: Set<string>; deferred: Deferred },
): Promise<'handled' | 'later'> {
  const envelope = await mailbox.envelope(uid)
  if (!envelope) return 'handled'
  const reject = async ({ status, message }: MailRefused): Promise<'handled'> => {
    await mailbox.reject(uid)
    chat.options.logger.info({ uid, status }, `an email in the mailbox was rejected: ${message}`)
    return 'handled'
  }
  const named = recipientsIn(envelope.headers, MAX_RECIPIENTS)
  if (named.length === 0) return reject(new MailRefused(550, '5.1.1', 'Unknown recipient'))
  if (named.some((recipient) => full.has(recipient))) return 'later'
  // Before the email is read, as a mail server learns it before it sends one.
  const refusals = new Map<string, MailRefused>()
  for (const recipient of named) {
    const refused = await check(chat, recipient)
    if (refused) refusals.set(recipient, refused)
    if (refused?.isTemporary) full.add(recipient)
  }
  const recipients = named.filter((recipient) => !refusals.has(recipient))
  const isLater = [...refusals.values()].some(({ isTemporary }) => isTemporary)
  if (recipients.length === 0) return isLater ? 'later' : reject(refusals.get(named[0]!)!)
  if (deferred.waits(uid, (recipient) => refusals.get(recipient)?.isTemporary === true)) return 'later'
  const tooLarge = new MailRefused(552, '5.3.4', 'The email is too large')
  if (envelope.bytes > MAX_MAIL_BYTES) return reject(tooLarge)
  const raw = await mailbox.read(uid, MAX_MAIL_BYTES)
  if (!raw) return 'handled'
  if (raw.byteLength > MAX_MAIL_BYTES) return reject(tooLarge)
  const results = await acceptMail(chat, { raw, recipients })
  const rejected = results.filter((result) => result instanceof MailRefused)
  // The recipients who have it know the second copy.
  if (isLater || rejected.some(({ isTemporary }) => isTemporary)) {
    for (const [index, result] of results.entries())
      if (result instanceof MailRefused) refusals.set(recipients[index]!, result)
    deferred.add(
      uid,
      named.filter((recipient) => refusals.get(recipient)?.isTemporary),
    )
    return 'later'
  }
  if (rejected.length === results.length) return reject(rejected[0]!)
  await mailbox.mark(uid)
  return 'handled'
}

async function check(chat: Chat, recipient: string): Promise<MailRefused | undefined> {
  const context = contextOf(chat)
  try {
    await requireRate(context, (await findArrival(context, recipient)).key)
    return undefined
  } catch (error) {
    return refusal(chat, error)
  }
}
