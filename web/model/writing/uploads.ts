import { signal } from '@preact/signals'
import { pageHeaders } from '../../../src/client/index.ts'

/** A file on its way. */
export interface Upload {
  id: number
  name: string
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

/**
 * Uploads a file, and answers the Markdown of a link to it; nothing when it was cancelled. The client's own requests tell no
 * progress, so this is one of the older kind.
 */
export function upload(file: File): Promise<string | undefined> {
  last += 1
  const id = last
  const request = new XMLHttpRequest()
  const name = file.name || 'file'
  uploads.value = [...uploads.value, { id, name, progress: 0, cancel: () => request.abort() }]
  return new Promise<string | undefined>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => update(id, total > 0 ? loaded / total : 0)
    request.onabort = () => resolve(undefined)
    request.onerror = () => reject(new Error(`${name} could not be uploaded: the server cannot be reached.`))
    request.onload = () => {
      const answer = answerOf(request.responseText)
      if (request.status === 200 && answer.url) resolve(`[${linkText(name)}](${answer.url})`)
      else reject(new Error(`${name} could not be uploaded. ${answer.msg ?? `The server answered ${request.status}.`}`))
    }
    request.open('POST', '/json/user_uploads')
    for (const [header, value] of Object.entries(pageHeaders)) request.setRequestHeader(header, value)
    const body = new FormData()
    body.set('filename', file, name)
    request.send(body)
  }).finally(() => remove(id))
}

function answerOf(text: string): { url?: string; msg?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Brackets would end the text of the link. */
const linkText = (name: string): string => name.replaceAll('[', '(').replaceAll(']', ')')
