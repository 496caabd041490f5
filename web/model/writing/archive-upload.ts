import { signal } from '@preact/signals'
import { pageHeaders } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'

/** The upload of this page, which continues while other views are shown. */
export const archiveUpload = perSession(() => signal<{ sent: number; size: number } | undefined>(undefined))

/** Bytes of a request: few enough that a lost connection costs little. */
const PIECE_BYTES = 4 * 1024 * 1024
const ATTEMPTS = 6
const PAUSE_MS = 1000

/** Uploads the rest of an archive in pieces, and continues after a lost connection. */
export async function uploadArchive(
  session: Session,
  file: File,
  upload_url: string,
  mostBytes: number,
): Promise<void> {
  const progress = archiveUpload(session)
  const url = `json/tus/${upload_url.split('/').at(-1)}`
  const ask = (method: string, headers: Record<string, string> = {}, body?: Blob) =>
    fetch(url, { method, headers: { ...pageHeaders, 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) })
  try {
    for (let failed = 0, offset: number | undefined; offset === undefined || offset < file.size; ) {
      const isKnown: boolean = offset !== undefined
      const piece = file.slice(offset, (offset ?? 0) + Math.min(PIECE_BYTES, mostBytes))
      const type = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
      const answer = await (isKnown ? ask('PATCH', type, piece) : ask('HEAD')).catch(() => undefined)
      if (answer?.ok) {
        offset = Number(answer.headers.get('upload-offset'))
        failed = 0
        progress.value = { sent: offset, size: file.size }
        continue
      }
      // Another page or an earlier request may have sent the piece: the server knows how much it has.
      offset = undefined
      const isTemporary = answer === undefined || answer.status >= 500 || [409, 429].includes(answer.status)
      if (!isTemporary || ++failed === ATTEMPTS) throw new Error(answer ? await reasonIn(answer) : undefined)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * failed))
    }
  } finally {
    progress.value = undefined
  }
}

async function reasonIn(answer: Response): Promise<string> {
  const { msg } = await answer.json().catch(() => ({}))
  return typeof msg === 'string' ? msg : String(answer.status)
}
