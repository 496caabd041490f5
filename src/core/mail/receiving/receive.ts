import { addressKey } from '../../../storage/index.ts'
import { requireVoice } from '../../access/silence.ts'
import { storeFile } from '../../files/upload.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, type Context, contextOf, onBehalfOf, type SystemTx } from '../../kernel/context.ts'
import { badRequest, type ChatError, isChatError } from '../../kernel/errors.ts'
import { isBot } from '../../kernel/roles.ts'
import { postMessage, sendPrepared } from '../../messages/send/post-message.ts'
import { type Prepared, prepare } from '../../messages/send/prepare.ts'
import type { Recipient } from '../../messages/send/recipient.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import { asSystemBot, mailBot } from '../../users/system-bot.ts'
import { automatic, inLine, isForged } from './loops.ts'
import { bodyOf, joined, ofStranger, senderLine } from './message-text.ts'
import type { ParsedFile, ParsedMail } from './parse-protocol.ts'
import { placeInChannel, placeOfReply } from './place.ts'
import { hasArrived, notePosted, noteReceived, receivedKey } from './received.ts'
import { findTarget, type Target } from './target.ts'

/** What became of an email. All of them are accepted: a mail server that learns of a rejection now would write to a stranger. */
export type Received =
  | { outcome: 'posted'; message_id: number }
  /** A second copy. */
  | { outcome: 'repeated' }
  /** A program wrote it. */
  | { outcome: 'ignored'; reason: string }
  /** It reported that an email of this server could not be delivered. */
  | { outcome: 'bounced'; reason: string }
  /** It could not be posted. Notification Bot sent the owner of the address the reason. */
  | { outcome: 'reported'; reason: string }

interface Note {
  digest: string
  address: string
}

/**
 * Posts an email where its address says. The message exists when this returns, also after a power failure.
 *
 * @param envelopeFrom - sender of the envelope: empty for bounces, undefined if unknown
 * @throws MailRefused if the address was revoked while the email was read
 */
export async function receive(
  chat: Chat,
  target: Target,
  mail: ParsedMail,
  envelopeFrom: string | undefined,
): Promise<Received> {
  const context = contextOf(chat, { client: 'email' })
  const key = receivedKey(chat, target.key, mail.messageId || mail.digest)
  if (await hasArrived(context, key)) return { outcome: 'repeated' }
  const note = { digest: key, address: target.key }
  const { hostname } = new URL(chat.options.publicUrl)
  const reason = automatic(mail, { kind: target.kind, hostname, envelopeFrom })
  if (reason !== undefined) {
    const isNew = await context.write((tx) => noteReceived(tx, { ...note, outcome: 'ignored' }))
    return isNew ? { outcome: 'ignored', reason } : { outcome: 'repeated' }
  }
  try {
    requireOwnSender(target, mail)
    // The Email Gateway bot itself is never silenced.
    await requireVoice(onBehalfOf(context, target.owner))
    return await post(context, target, mail, note)
  } catch (error) {
    if (!isChatError(error) || isTemporary(error)) throw error
    return tell(context, target, mail, note, error.message)
  }
}

/** An email that can't be posted for this reason may be posted later. */
const isTemporary = ({ kind }: ChatError): boolean => ['storage', 'unavailable', 'rate', 'bug'].includes(kind)

/** Email in a person's name must be from the person, because emails are forwarded with the address that answers them. */
function requireOwnSender({ owner, sender }: Target, mail: ParsedMail): void {
  if (sender.id !== owner.id) return
  const [from, ...more] = mail.from
  if (!from || more.length > 0 || addressKey(from.address) !== addressKey(owner.delivery_email))
    throw badRequest('it was not sent from the email address of your account')
  if (isForged(mail)) throw badRequest('its sender is forged')
}

async function post(context: Context, target: Target, mail: ParsedMail, note: Note): Promise<Received> {
  const { chat } = context
  const author = onBehalfOf(context, target.sender)
  const isStranger = target.sender.id !== target.owner.id
  const body = bodyOf(mail, target.options)
  const text = isStranger ? ofStranger(body) : body
  const before = target.options.has('show-sender') ? senderLine(mail) : ''
  const links = await storeFiles(author, mail)
  const content = joined({ before, text, links }, chat.options.limits.messageBytes)
  const prepared = await withFiles(author, content, { before, text, links })
  return context.write(async (tx) => {
    if (!(await noteReceived(tx, { ...note, outcome: 'posted' }))) return { outcome: 'repeated' }
    // The address may have been revoked while the email was read.
    const current = await findTarget(tx, target.address)
    const place = await placeOf(tx, current, mail)
    const message_id = await postMessage(onBehalfOf(tx, current.sender), place, prepared, {
      read_by_sender: !isBot(target.sender),
    })
    await notePosted(tx, note.digest, message_id)
    return { outcome: 'posted', message_id }
  })
}

/** Returns where the email goes. Checks what its author may do, and the owner of the address. */
async function placeOf(tx: SystemTx, target: Target, mail: ParsedMail): Promise<Recipient> {
  const owner = onBehalfOf(tx, target.owner)
  await requireVoice(owner)
  await requireEstablished(owner)
  if (target.kind === 'reply') return placeOfReply(owner, target.reply)
  const place = await placeInChannel(owner, target.channel, mail, target.key)
  if (place.kind !== 'stream' || target.sender.id === target.owner.id) return place
  if (target.sender.id !== (await mailBot.get(tx)).id)
    return placeInChannel(onBehalfOf(tx, target.sender), target.channel, mail, target.key)
  return { ...place, stream: { ...place.stream, subscribed: true } }
}

/** Stores the files of an email, and returns the lines that link to them. What can't be stored is named. */
async function storeFiles(author: Caller, { files, filesLeftOut }: ParsedMail): Promise<string[]> {
  const lines: string[] = []
  for (const file of files) lines.push(await storedLine(author, file))
  if (filesLeftOut > 0) lines.push(`(${filesLeftOut} more files were left out)`)
  return lines
}

async function storedLine(author: Caller, { name, type, content }: ParsedFile): Promise<string> {
  const shown = inLine(name).replace(/[[\]`*_<>|\\]/g, '') || 'file'
  const { maxFileUploadSizeMib } = author.chat.options
  if (content.byteLength > maxFileUploadSizeMib * 1024 * 1024)
    return `(${shown} was left out: files can have at most ${maxFileUploadSizeMib} MiB)`
  try {
    const { url, filename } = await storeFile(author, { name, content_type: type, chunks: chunksOf(content) })
    return `[${ofStranger(filename.replace(/[[\]]/g, ''))}](${url})`
  } catch (error) {
    if (!isChatError(error) || isTemporary(error)) throw error
    return `(${shown} was left out: ${inLine(error.message)})`
  }
}

const CHUNK_BYTES = 256 * 1024

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES)
}

/** Renders a message. If its text swallows the links, as an open block of code does, they come first. */
async function withFiles(
  author: Caller,
  content: string,
  { before, text, links }: { before: string; text: string; links: readonly string[] },
): Promise<Prepared> {
  const prepared = await prepare(author, content)
  const expected = links.filter((line) => line.startsWith('[')).length
  if (prepared.rendered.attachmentPaths.length >= expected) return prepared
  const first = [before, ...links].filter(Boolean).join('\n')
  return prepare(author, joined({ before: first, text, links: [] }, author.chat.options.limits.messageBytes))
}

/** Tells the owner of the address, in the chat, why an email was not posted. */
async function tell(
  context: Context,
  { owner }: Target,
  mail: ParsedMail,
  note: Note,
  reason: string,
): Promise<Received> {
  const bot = await asSystemBot(context)
  const code = (text: string) => `\`${inLine(text).replaceAll('`', "'") || '–'}\``
  const [from] = mail.from
  const text = `An email from ${code(from?.address ?? '')} with the subject ${code(mail.subject)} was not posted: ${reason.replace(/\.$/, '')}.`
  const prepared = await prepare(bot, text)
  return context.write(async (tx) => {
    if (!(await noteReceived(tx, { ...note, outcome: 'reported' }))) return { outcome: 'repeated' }
    await sendPrepared(await asSystemBot(tx), [owner], prepared)
    return { outcome: 'reported', reason }
  })
}
