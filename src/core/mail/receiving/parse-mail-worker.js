// @ts-check
// Parses emails, one at a time. A thread of its own, so that a hostile one delays nothing else.
// @NOTE JavaScript, because a thread doesn't inherit the TypeScript loader of its process.
import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import PostalMime, { addressParser, decodeWords } from 'postal-mime'
import { htmlToMarkdown } from './html-to-markdown.js'

/** @import { DeliveryStatus, ParsedMail, ParseQuestion } from './parse-protocol.ts' */

const MAX_DEPTH = 50
const MAX_HEADERS_BYTES = 256 * 1024
const MAX_HEADERS = 1000
const MAX_HEADER = 4000
const MAX_PARTS = 200
const MAX_FILES = 20
const MAX_TEXT = 200_000
const MAX_ANSWERS = 20
const MAX_STATUS_BYTES = 64 * 1024
const MAX_STATUSES = 20

/** An email that breaks a limit. */
class Unreadable extends Error {}

/**
 * Counts the lines that may begin a part. The parser has no limit of its own.
 *
 * @param {Uint8Array} raw
 */
function requireFewParts(raw) {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const boundaries = new Set()
  const declared = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi
  for (const [, quoted, plain] of text.toString('latin1').matchAll(declared)) {
    boundaries.add(quoted ?? plain)
    if (boundaries.size > MAX_PARTS) throw new Unreadable('it has too many parts')
  }
  let parts = 0
  for (const boundary of boundaries)
    for (let at = text.indexOf(`--${boundary}`); at !== -1; at = text.indexOf(`--${boundary}`, at + 1)) {
      // The end of a multipart counts, too.
      if (++parts > 2 * MAX_PARTS) throw new Unreadable('it has too many parts')
    }
}

/** @param {string | undefined} text */
const idsIn = (text) => [...(text ?? '').slice(0, 20_000).matchAll(/<([^<>\s]{1,500})>/g)].map(([, id]) => id ?? '')

/**
 * Reads the part of a delivery status notification that is for programs: groups of fields, one for each recipient.
 *
 * @param {import('postal-mime').Attachment[]} attachments
 * @returns {DeliveryStatus[]}
 */
function statusesIn(attachments) {
  const part = attachments.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/i.test(mimeType))
  if (!part) return []
  const { content } = part
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(/** @type {ArrayBuffer} */ (content))
  const text = bytes.subarray(0, MAX_STATUS_BYTES).toString('utf8').replace(/\r\n?/g, '\n')
  const groups = text.replace(/\n[ \t]+(?=\S)/g, ' ').split(/\n\s*\n/)
  const statuses = groups.map((group) => {
    const found = [...group.matchAll(/^([\w-]{1,50}):[ \t]*(.*)$/gm)]
    const fields = new Map(found.map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]))
    const of = (/** @type {string} */ name) => (fields.get(name) ?? '').slice(0, MAX_HEADER)
    return { action: of('action').toLowerCase(), status: of('status'), diagnostic: of('diagnostic-code') }
  })
  return statuses.filter(({ action }) => action !== '').slice(0, MAX_STATUSES)
}

/** @param {ParseQuestion} question @returns {Promise<{ mail: ParsedMail, transfer: ArrayBuffer[] }>} */
async function parse({ raw }) {
  requireFewParts(raw)
  const digest = hash('sha256', raw, 'base64url')
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: MAX_DEPTH,
    maxHeadersSize: MAX_HEADERS_BYTES,
    // An attached email is a file. Its text isn't part of this one.
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  }).catch((error) => {
    throw new Unreadable(error instanceof Error ? error.message : String(error))
  })
  if (email.headers.length > MAX_HEADERS) throw new Unreadable('it has too many headers')
  if (email.attachments.length > MAX_PARTS) throw new Unreadable('it has too many parts')
  const files = email.attachments.slice(0, MAX_FILES).map(({ filename, mimeType, content }) => ({
    name: (filename ?? '').slice(0, 1000),
    type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType.toLowerCase() : 'application/octet-stream',
    content:
      typeof content === 'string'
        ? new TextEncoder().encode(content)
        : new Uint8Array(/** @type {ArrayBuffer} */ (content)),
  }))
  const from = email.headers
    .filter(({ key }) => key === 'from')
    .flatMap(({ value }) => addressParser(value.slice(0, MAX_HEADER), { flatten: true }))
    .map(({ name, address }) => ({ name: decodeWords(name).slice(0, 500), address: address ?? '' }))
  const answered = idsIn(email.inReplyTo)
  const mail = {
    headers: /** @type {[string, string][]} */ (
      email.headers.map(({ key, value }) => [key, value.slice(0, MAX_HEADER)])
    ),
    from,
    subject: (email.subject ?? '').slice(0, MAX_HEADER),
    messageId: idsIn(email.messageId)[0] ?? '',
    digest,
    answers: [...new Set([...answered, ...idsIn(email.references).reverse()])].slice(0, MAX_ANSWERS),
    text: (email.text ?? '').slice(0, MAX_TEXT),
    fromHtml: email.html === undefined ? '' : htmlToMarkdown(email.html),
    files,
    statuses: statusesIn(email.attachments),
    filesLeftOut: email.attachments.length - files.length,
  }
  const transfer = [...new Set(files.map(({ content }) => /** @type {ArrayBuffer} */ (content.buffer)))]
  return { mail, transfer }
}

// What one email could add to all objects would reach the next one.
Object.preventExtensions(Object.prototype)
parentPort?.on('message', (/** @type {ParseQuestion} */ question) => {
  parse(question).then(
    ({ mail, transfer }) => parentPort?.postMessage(mail, transfer),
    (error) =>
      parentPort?.postMessage({
        problem: error instanceof Unreadable ? error.message : 'it could not be read',
      }),
  )
})
