import { ChatError, type ErrorCode, type ErrorKind } from '../core/kernel/errors.ts'

/**
 * The server couldn't be reached, or the response wasn't from the API. Whether the request took effect is unknown.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

export type Params = Readonly<Record<string, unknown>>

/** An encoded request: path parameters are in the path, the others in the query or the body. */
export interface Encoded {
  path: string
  body: URLSearchParams | FormData | undefined
}

/** Encodes parameters in a path, a query or a form: text and files unchanged, everything else as JSON. */
export function encode(method: string, pattern: string, params: Params, fileField?: string): Encoded {
  const rest = new Map(Object.entries(params).filter(([, value]) => value !== undefined && value !== null))
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    if (value === undefined) throw new TypeError(`${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const texts = [...rest].filter(([, value]) => !(value instanceof Blob))
  const form = new URLSearchParams(texts.map(([name, value]) => [name, asText(value)]))
  if (method === 'GET') return { path: form.size > 0 ? `${path}?${form}` : path, body: undefined }
  const files = [...rest].filter((entry): entry is [string, Blob] => entry[1] instanceof Blob)
  if (files.length === 0) return { path, body: form }
  const body = new FormData()
  for (const [name, text] of form) body.set(name, text)
  for (const [name, file] of files) body.set(fileField ?? name, file, file instanceof File ? file.name : name)
  return { path, body }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the members of a response. Throws a ChatError for an error response. */
export async function decode(response: Response): Promise<object> {
  const answer = await parsed(response)
  if (response.ok && answer.result === 'success') return answer
  const { result: _, msg, code, ...data } = answer
  const retry = response.headers.get('retry-after')
  const details = retry === null ? data : { 'retry-after': Number(retry), ...data }
  // Another server of this API may have codes that are unknown here.
  throw new ChatError(
    (code ?? 'BAD_REQUEST') as ErrorCode,
    msg ?? response.statusText,
    details,
    kindOf(response.status),
  )
}

interface AnyAnswer {
  result?: string
  msg?: string
  code?: string
}

async function parsed(response: Response): Promise<AnyAnswer> {
  try {
    return (await response.json()) as AnyAnswer
  } catch (cause) {
    // A proxy answers with a page while the server restarts.
    throw new ConnectionError(`The server responded with status ${response.status} without JSON`, { cause })
  }
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: 'credentials',
  404: 'path',
  405: 'method',
  409: 'conflict',
  413: 'size',
  429: 'rate',
  500: 'bug',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}
const kindOf = (status: number): ErrorKind => kinds[status] ?? 'request'
