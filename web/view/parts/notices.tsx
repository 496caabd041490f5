import { signal } from '@preact/signals'
import { isChatError } from '../../../src/client/index.ts'

const notices = signal<readonly { id: number; text: string }[]>([])
const SHOWN_MS = 6000
let last = 0

/** Says a sentence for a while. */
export function notify(text: string): void {
  last += 1
  const id = last
  notices.value = [...notices.value, { id, text }]
  setTimeout(() => {
    notices.value = notices.value.filter((one) => one.id !== id)
  }, SHOWN_MS)
}

/** Does something; where that fails, says why. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch((error: unknown) => notify(reasonOf(error)))
}

export function reasonOf(error: unknown): string {
  if (isChatError(error)) return /[.?!]$/.test(error.message) ? error.message : `${error.message}.`
  if (error instanceof Error && error.name === 'ConnectionError')
    return 'The server cannot be reached; nothing was changed.'
  return error instanceof Error ? error.message : String(error)
}

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
