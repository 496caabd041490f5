import { effect, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

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

const MOST_PICTURES = 30

/** The files that are on their way, and pictures of the latest ones. */
export const uploadsOf = perSession(() => {
  const underWay = signal<readonly Upload[]>([])
  /** By the address of the file. */
  const pictures = new Map<string, string>()
  // Leaving the page cancels its uploads, so the browser asks first.
  effect(() => {
    if (underWay.value.length === 0) return undefined
    addEventListener('beforeunload', askBeforeLeaving)
    return () => removeEventListener('beforeunload', askBeforeLeaving)
  })
  return {
    underWay,
    /** How many there have been. */
    count: 0,
    update(id: number, progress: number): void {
      underWay.value = underWay.value.map((one) => (one.id === id ? { ...one, progress } : one))
    },
    remove(id: number): void {
      underWay.value = underWay.value.filter((one) => one.id !== id)
    },
    pictureOf: (url: string): string | undefined => pictures.get(url),
    keepPicture(url: string, picture: string | undefined): void {
      if (!picture) return
      pictures.set(url, picture)
      const [oldest] = pictures
      if (pictures.size <= MOST_PICTURES || !oldest) return
      URL.revokeObjectURL(oldest[1])
      pictures.delete(oldest[0])
    },
  }
})

const askBeforeLeaving = (event: Event) => event.preventDefault()

/** Whether a file of this text is on its way. */
export const awaitsFile = (session: Session, text: string): boolean =>
  uploadsOf(session).underWay.value.some(({ mark }) => text.includes(mark))

/** The link of a file with the space beside it, as it may stand in a text; the first of these that does is removed. */
export const linkForms = (link: string): string[] => [`${link} `, `\n\n${link}`, `\n${link}`, `${link}\n`, link]

/** Removes a file from a text. */
export function withoutFile(text: string, link: string): string {
  const form = linkForms(link).find((one) => text.includes(one))
  return form === undefined ? text : text.replace(form, () => '')
}

/** A text as it is kept for later: another page knows nothing of files that are on their way from this one. */
export const withoutMarks = (session: Session, text: string): string =>
  uploadsOf(session)
    .underWay.peek()
    .reduce((rest, { mark }) => withoutFile(rest, mark), text)
