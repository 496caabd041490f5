import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Archive } from '../../../import/archive/archive.ts'
import { addressesIn, downloadName, withDownloads } from '../../../import/archive/downloads.ts'
import { Refused } from '../../../import/refused.ts'
import { redirectTarget } from '../../../network/redirect.ts'
import { downloadOf } from '../../bots/outgoing/post-of.ts'
import type { Chat } from '../../kernel/chat.ts'
import { ChatError } from '../../kernel/errors.ts'
import { type Room, roomBeside } from '../exports/room.ts'

/** Files that are downloaded at the same time. */
const AT_ONCE = 4
const ATTEMPTS = 3
const MAX_REDIRECTS = 5
/** This many failures are listed, and the others only counted. */
const SHOWN = 20

interface Options {
  /** Created unless it exists. */
  folder: string
  read(archive: Archive): AsyncIterable<unknown>
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { step: 'downloaded'; done: number; total: number }) => void) | undefined
}

/**
 * Downloads what an archive only has addresses of into a folder, and returns both as one archive. What is in
 * the folder already is not downloaded again. A file that can't be downloaded is left out of the import.
 *
 * @throws Refused if the folder can't be written
 * @throws STORAGE_FULL before the downloads take the space that must stay free
 */
export async function downloadFiles(
  chat: Chat,
  archive: Archive,
  { folder, read, signal, onProgress }: Options,
  progress: (text: string) => void,
): Promise<Archive> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new Refused(`The folder for downloads can't be created: ${error.message}.`)
  })
  const wanted = [...(await addressesIn(archive, read))]
  const waiting = wanted.values()
  const abort = new AbortController()
  const ended = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal
  const failed: string[] = []
  let done = 0
  const downloadNext = async () => {
    for (const url of waiting) {
      const problem = await downloadOnce(chat, url, join(folder, downloadName(url)), ended)
      if (problem !== undefined) failed.push(`${shown(url)}: ${problem}`)
      onProgress?.({ step: 'downloaded', done: ++done, total: wanted.length })
      if (done % 100 === 0) progress(`${done} of ${wanted.length} files downloaded`)
    }
  }
  // The others remove what they have begun before this fails.
  await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () =>
      downloadNext().catch((error) => {
        abort.abort(error)
      }),
    ),
  )
  ended.throwIfAborted()
  progress(`${wanted.length - failed.length} of ${wanted.length} files downloaded to ${folder}`)
  for (const line of failed.slice(0, SHOWN)) progress(`not downloaded: ${line}`)
  if (failed.length > SHOWN) progress(`not downloaded: ${failed.length - SHOWN} more`)
  return withDownloads(archive, folder)
}

/** An address without its query, which may contain a token. */
const shown = (url: string): string => url.replace(/[?#].*$/, '').slice(0, 200)

/** Returns why a file can't be downloaded; undefined if it is there now. */
async function downloadOnce(chat: Chat, url: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  if (await stat(path).catch(() => undefined)) return undefined
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      await download(chat, url, path, signal)
      return undefined
    } catch (error) {
      if (error instanceof ChatError || signal.aborted) throw error
      if (attempt === ATTEMPTS || error instanceof Unavailable) return (error as Error).message
    }
  }
}

/** Trying again would give the same answer. */
class Unavailable extends Error {}

async function download(chat: Chat, from: string, path: string, signal: AbortSignal): Promise<void> {
  let url = from
  for (let redirects = 0; ; redirects++) {
    const answer = await downloadOf(chat)({ url, headers: { 'user-agent': 'chat-server-import' }, signal })
    if (answer.status !== 200) void close(answer.body).catch(() => {})
    const target = redirectTarget(answer, url)
    if (target !== undefined) {
      if (redirects === MAX_REDIRECTS) throw new Unavailable(`the server redirected more than ${MAX_REDIRECTS} times`)
      url = target
      continue
    }
    if (answer.status >= 500 || answer.status === 429)
      throw new Error(`the server answered with status ${answer.status}`)
    if (answer.status !== 200) throw new Unavailable(`the server answered with status ${answer.status}`)
    // Without a valid token, Slack answers with its sign-in page.
    if (/^text\/html/i.test(answer.headers['content-type'] ?? '') && !/\.html?$/i.test(new URL(from).pathname)) {
      void close(answer.body).catch(() => {})
      throw new Unavailable('the server answered with a page instead of the file, so it probably asks for a sign-in')
    }
    const part = `${path}.part`
    try {
      const arriving = withRoom(answer.body, roomBeside(chat, part))
      // Opened before, because a stream that is aborted while it opens its file creates the file afterwards.
      const file = await open(part, 'w', 0o600)
      await pipeline(Readable.from(arriving), file.createWriteStream(), { signal })
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    return
  }
}

async function* withRoom(body: AsyncIterable<Uint8Array>, room: Room): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    room(chunk.length)
    yield chunk
  }
}

/** Closes the connection of an answer. Only a body that is read closes it when its reader stops. */
async function close(body: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of body) break
}
