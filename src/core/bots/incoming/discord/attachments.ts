import { readableFiles, type StoredFile } from '../../../access/files.ts'
import { removeFile } from '../../../files/attachments.ts'
import { UPLOADS_PATH } from '../../../files/names.ts'
import { storeFile } from '../../../files/upload.ts'
import type { Caller } from '../../../kernel/context.ts'
import { badRequest } from '../../../kernel/errors.ts'
import type { UploadedFile } from '../../../kernel/fields.ts'
import { servedPath } from '../../../kernel/public-url.ts'
import { fitted, untrustedLine } from '../format/text.ts'

/** As many as Discord takes. */
export const MAX_FILES = 10
export const tooManyFiles = `Send at most ${MAX_FILES} files at a time`

/** A file that a webhook attached to its message. Messages end with one line for each. */
export interface Attachment {
  readonly file: StoredFile
  readonly url: string
  readonly line: string
}

/** Requests name files that they add by their index, so these IDs of stored files begin above all indexes. */
const FIRST_ID = 1000
export const attachmentId = ({ file }: Attachment): string => String(file.id + FIRST_ID)

/** Bytes for the topic, which precedes the text in direct messages. */
const TOPIC_ROOM = 300

const LINE = /^\[[^[\]\n]*\]\(([^\s()]+)\)$/

/** Splits a message of the caller into its text and its attachments. */
export async function splitMessage(
  caller: Caller,
  content: string,
): Promise<{ text: string; attachments: readonly Attachment[] }> {
  const lines = content.split('\n')
  const links = lines.map((line) => ({ line, url: LINE.exec(line)?.[1] ?? '' }))
  const start = links.findLastIndex(({ url }) => !isUpload(caller, url)) + 1
  const files = await readableFiles(
    caller,
    links.slice(start).map(({ url }) => pathOf(url)),
  )
  const attachments = links.slice(start).flatMap(({ line, url }) => {
    const file = files.find(({ path, owner_id }) => path === pathOf(url) && owner_id === caller.user.id)
    return file ? [{ file, url, line }] : []
  })
  // Links to other files are text. Attachments come after all text.
  const isText = (line: string) => !attachments.some((attachment) => attachment.line === line)
  const text = [...lines.slice(0, start), ...lines.slice(start).filter(isText)].join('\n')
  return { text, attachments }
}

const isUpload = ({ chat }: Caller, url: string): boolean => url.startsWith(servedPath(chat, `${UPLOADS_PATH}/`))
const pathOf = (url: string): string => url.slice(url.indexOf(UPLOADS_PATH) + UPLOADS_PATH.length + 1)

/**
 * Returns the attachments that an edit keeps: all, or those that it lists.
 *
 * @param added - number of files that the edit adds, which it may list by their indexes
 * @throws BAD_REQUEST for anything else in the list
 */
export function keptAttachments(
  attachments: readonly Attachment[],
  listed: unknown,
  added: number,
): readonly Attachment[] {
  if (listed === undefined || listed === null) return attachments
  if (!Array.isArray(listed)) throw badRequest('attachments is not a list')
  const ids = listed.map((one: unknown) => {
    const id = typeof one === 'object' && one !== null && 'id' in one ? String(one.id) : ''
    const isNew = /^\d$/.test(id) && Number(id) < added
    if (!isNew && !attachments.some((attachment) => attachmentId(attachment) === id))
      throw badRequest(`The message has no attachment "${untrustedLine(id, 40)}"`)
    return id
  })
  return attachments.filter((attachment) => ids.includes(attachmentId(attachment)))
}

/** Stores files, adds their addresses to `stored` as soon as they exist, and returns the lines for the message. */
export async function storeAll(
  caller: Caller,
  files: readonly UploadedFile[],
  stored: string[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const file of files) {
    const { filename, url } = await storeFile(caller, { ...file, content_type: '', chunks: once(file.bytes) })
    stored.push(url)
    lines.push(`[${untrustedLine(filename).replace(/[[\]]/g, '')}](${url})`)
  }
  return lines
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/**
 * Joins a text and its attachments. The text is cut if both don't fit into a message.
 *
 * @throws BAD_REQUEST if there is nothing to send
 */
export function withAttachments({ chat }: Caller, text: string, lines: readonly string[]): string {
  const taken = lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, 0)
  const shown = taken > 0 ? fitted(text, chat.options.limits.messageBytes - TOPIC_ROOM - taken) : text
  const content = [shown, ...lines].filter((part) => part !== '').join('\n')
  if (content === '') throw badRequest('Cannot send an empty message')
  return content
}

/** Removes files that no message refers to. Others of the list stay. */
export async function removeUnused(caller: Caller, urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return
  await caller.write(async (tx) => {
    for (const file of await readableFiles(tx, urls.map(pathOf))) {
      if (file.unused_since !== null) await removeFile(tx, file)
    }
  })
}
