import { effect, signal } from '@preact/signals'
import type { Session } from '../state/session.ts'
import { LostError, sendFile } from './send-file.ts'

/** A file on its way. */
export interface Upload {
  id: number
  name: string
  /** The address of its picture, if it is an image. */
  picture: string | undefined
  /** The placeholder in the text until the link replaces it. */
  mark: string
  /** From 0 to 1. */
  progress: number
  cancel(): void
}

export const uploads = signal<readonly Upload[]>([])
let last = 0

const update = (id: number, progress: number) => {
  uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, progress } : one))
}
const remove = (id: number) => {
  uploads.value = uploads.value.filter((one) => one.id !== id)
}

/** Pictures of this page's latest uploads, by the address of the file. */
const pictures = new Map<string, string>()
const MOST_PICTURES = 30
export const pictureOf = (url: string): string | undefined => pictures.get(url)

function keepPicture(url: string, picture: string | undefined): void {
  if (!picture) return
  pictures.set(url, picture)
  const [oldest] = pictures
  if (pictures.size <= MOST_PICTURES || !oldest) return
  URL.revokeObjectURL(oldest[1])
  pictures.delete(oldest[0])
}

/** Whether a file of this text is on its way. */
export const awaitsFile = (text: string): boolean => uploads.value.some(({ mark }) => text.includes(mark))

/** A text as it is kept for later: another page knows nothing of files that are on their way from this one. */
export const withoutMarks = (text: string): string =>
  uploads.peek().reduce((rest, { mark }) => rest.replace(`${mark} `, '').replace(mark, ''), text)

/** With the page goes what it sends, so the browser asks first. */
const askBeforeLeaving = (event: Event) => event.preventDefault()
effect(() => {
  if (uploads.value.length === 0) return undefined
  addEventListener('beforeunload', askBeforeLeaving)
  return () => removeEventListener('beforeunload', askBeforeLeaving)
})

/** So often a file is sent that does not arrive although there is a connection: something on the way may refuse it. */
const TRIES = 5
const PAUSE_MS = 1000

/**
 * Uploads a file. Returns immediately a placeholder for its link, and a promise for the link's Markdown, or nothing if
 * it was canceled. Without a connection, the file waits.
 */
export function upload(file: File, session: Session): { mark: string; link: Promise<string | undefined> } {
  last += 1
  const id = last
  const cancelling = new AbortController()
  const name = file.name || 'file'
  const plain = `[Uploading ${linkText(name)} …]()`
  const isTaken = uploads.value.some(({ mark }) => mark === plain)
  const mark = isTaken ? `[Uploading ${linkText(name)} (${id}) …]()` : plain
  const picture = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined
  uploads.value = [...uploads.value, { id, name, picture, mark, progress: 0, cancel: () => cancelling.abort() }]
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
