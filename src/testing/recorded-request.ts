import type { IncomingMessage } from 'node:http'

/** A request as the app gets it. Over a socket it includes Node's own. */
export type ServedRequest = Request & { runtime?: { node?: { req?: unknown } | undefined } | undefined }

/** A request that a client sent to a test server. */
export interface RecordedRequest {
  readonly method: string
  /** Below /api/v1, without the query. */
  readonly path: string
  /** The email address in its credentials. */
  readonly email: string | undefined
  /** Parameters of the query and of a form as text, and members of a JSON body unchanged. Files are left out. */
  readonly params: Readonly<Record<string, unknown>>
  /** Status of the response; undefined before it, and if the connection was dropped. */
  readonly status: number | undefined
}

const READABLE = /^application\/(x-www-form-urlencoded|json)\b/i

/** Starts a record of a request. `answered` completes it. */
export function watchRequest(request: ServedRequest): {
  record: RecordedRequest
  answered(status: number | undefined): Promise<void>
} {
  const { pathname, searchParams } = new URL(request.url)
  const type = request.headers.get('content-type') ?? ''
  const body = READABLE.test(type) ? readBeside(request) : undefined
  let status: number | undefined
  return {
    record: {
      method: request.method,
      path: pathname.replace(/^\/api\/v1(?=\/)/, ''),
      email: emailOf(request.headers.get('authorization')),
      get params() {
        return { ...Object.fromEntries(searchParams), ...paramsOf(type, body?.text() ?? '') }
      },
      get status() {
        return status
      },
    },
    async answered(given) {
      status = given
      await body?.end
    },
  }
}

/** Reads a body while the app reads it. */
function readBeside(request: ServedRequest): { text(): string; end?: Promise<void> } {
  const chunks: Uint8Array[] = []
  const text = () => Buffer.concat(chunks).toString()
  const incoming = request.runtime?.node?.req as IncomingMessage | undefined
  if (incoming) {
    // Listening for data would start the flow before the app is ready.
    const push = incoming.push.bind(incoming)
    incoming.push = (chunk, encoding) => {
      if (chunk) chunks.push(Buffer.from(chunk))
      return push(chunk, encoding)
    }
    return { text }
  }
  const end = request
    .clone()
    .arrayBuffer()
    .then(
      (bytes) => void chunks.push(Buffer.from(bytes)),
      () => {},
    )
  return { text, end }
}

function paramsOf(type: string, text: string): object {
  if (text === '') return {}
  if (!/json/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function emailOf(authorization: string | null): string | undefined {
  const encoded = /^basic (.+)$/i.exec(authorization ?? '')?.[1]
  return encoded && Buffer.from(encoded, 'base64').toString().split(':', 1)[0]
}
