import { texts } from '../../texts/texts.ts'
import type { Session } from '../state/session.ts'
import { LostError, sendFile } from './send-file.ts'
import { uploadsOf } from './uploads.ts'

/** How often a file is sent that doesn't arrive although there is a connection. Something on the way may reject it. */
const TRIES = 5
const PAUSE_MS = 1000

/**
 * Uploads a file. Returns immediately a placeholder for its link, and a promise for the link's Markdown, or nothing if
 * it was canceled. Without a connection, the file waits.
 */
export function upload(file: File, session: Session): { mark: string; link: Promise<string | undefined> } {
  const { underWay, update, remove, keepPicture } = uploadsOf(session)
  const id = ++uploadsOf(session).count
  const cancelling = new AbortController()
  const name = file.name || 'file'
  const label = texts.compose.uploading(linkText(name))
  const plain = `[${label} …]()`
  const isTaken = underWay.value.some(({ mark }) => mark === plain)
  const mark = isTaken ? `[${label} (${id}) …]()` : plain
  const picture = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined
  underWay.value = [...underWay.value, { id, name, picture, mark, progress: 0, cancel: () => cancelling.abort() }]
  const { signal } = cancelling
  const sending = { signal, onProgress: (progress: number) => update(id, progress) }
  const send = async (tries = 1): Promise<string> => {
    try {
      return await sendFile(file, name, sending)
    } catch (error) {
      if (!(error instanceof LostError) || tries === TRIES) throw error
      update(id, 0)
      await untilOnline(session, signal)
      return send(tries + 1)
    }
  }
  const link = send()
    .then(
      (url) => {
        keepPicture(url, picture)
        return `[${linkText(name)}](${url})`
      },
      (error: unknown) => {
        if (!signal.aborted) throw error
        return undefined
      },
    )
    .finally(() => remove(id))
  return { mark, link }
}

/**
 * Waits a moment, because a lost connection may not be noticed yet, and then until there is a connection or none will
 * come.
 */
const untilOnline = ({ connection }: Session, cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let stop = () => {}
    const end = () => {
      clearTimeout(pause)
      stop()
      resolve()
    }
    const pause = setTimeout(() => {
      stop = connection.subscribe(({ status }) => {
        if (status === 'online' || status === 'ended') queueMicrotask(end)
      })
    }, PAUSE_MS)
    cancelled.addEventListener('abort', end, { once: true })
  })

/** Brackets would end the text of the link. */
const linkText = (name: string): string => name.replaceAll('[', '(').replaceAll(']', ')')
