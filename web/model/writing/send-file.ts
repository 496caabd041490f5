import { ChatError, type ErrorCode, pageHeaders } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'

interface Sending {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress(progress: number): void
}

/** The connection was lost, so a retry may succeed. */
export class LostError extends Error {}

/** Statuses that a proxy returns while the server behind it restarts. */
const GATEWAY = [502, 503, 504]

/** Sends a file, and returns its address. It uses XMLHttpRequest because fetch reports no progress. */
export function sendFile(file: File, name: string, { signal, onProgress }: Sending): Promise<string> {
  const request = new XMLHttpRequest()
  const cancel = () => request.abort()
  return new Promise<string>((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    const lost = () => reject(new LostError(texts.compose.uploadUnreachable(name)))
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onabort = () => reject(signal.reason)
    request.onerror = lost
    request.onload = () => {
      const { url, msg, code = 'BAD_REQUEST', ...data } = answerOf(request.responseText)
      if (request.status === 200 && url) resolve(url)
      else if (GATEWAY.includes(request.status)) lost()
      else reject(new ChatError(code, msg ?? texts.compose.statusCode(request.status), data))
    }
    request.open('POST', 'json/user_uploads')
    for (const [header, value] of Object.entries(pageHeaders)) request.setRequestHeader(header, value)
    const body = new FormData()
    body.set('filename', file, name)
    request.send(body)
  }).finally(() => signal.removeEventListener('abort', cancel))
}

function answerOf(text: string): { url?: string; msg?: string; code?: ErrorCode } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
