import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'

export interface Answer {
  status: number
  body: Record<string, unknown>
}

export interface Client {
  /** Sends form parameters (in the query for GET) or unchanged bytes, and reads a JSON response. */
  ask(method: string, path: string, parameters?: Record<string, string> | Blob, more?: RequestOptions): Promise<Answer>
  /** Returns the response as it arrives. A number as body announces that many bytes and sends none. */
  open(method: string, path: string, body?: Buffer | number, more?: RequestOptions): Promise<IncomingMessage>
}

/** A client of chat.example.com behind a proxy on this machine, with an address of its own. */
export function clientOf(port: number, credentials: string, localAddress = '127.0.0.2'): Client {
  const open: Client['open'] = async (method, path, body, { headers, ...more } = {}) => {
    const req = requestHttps({
      method,
      path,
      port,
      host: '127.0.0.1',
      servername: 'chat.example.com',
      // The certificate is made for this run.
      rejectUnauthorized: false,
      localAddress,
      agent: false,
      headers: {
        host: 'chat.example.com',
        ...(credentials && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
        ...(body && { 'content-length': typeof body === 'number' ? body : body.length }),
        ...(headers as Record<string, string>),
      },
      ...more,
    })
    if (typeof body === 'number') req.flushHeaders()
    else req.end(body)
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    // After its response, a server may close the connection.
    req.on('error', () => {})
    return res
  }
  return {
    open,
    async ask(method, path, parameters, more) {
      const { type, bytes } = await bodyOf(parameters)
      const headers = { ...(type && { 'content-type': type }), ...(more?.headers as Record<string, string>) }
      return answerOf(await open(method, path, bytes, { ...more, headers }))
    },
  }
}

export async function answerOf(res: IncomingMessage): Promise<Answer> {
  let text = ''
  for await (const piece of res.setEncoding('utf8')) text += piece
  return { status: res.statusCode!, body: JSON.parse(text) }
}

async function bodyOf(parameters?: Record<string, string> | Blob): Promise<{ type?: string; bytes?: Buffer }> {
  if (!parameters) return {}
  if (!(parameters instanceof Blob)) {
    const bytes = Buffer.from(new URLSearchParams(parameters).toString())
    return { type: 'application/x-www-form-urlencoded', bytes }
  }
  const form = new FormData()
  form.set('file', parameters, 'file.png')
  const made = new Response(form)
  return { type: made.headers.get('content-type')!, bytes: Buffer.from(await made.arrayBuffer()) }
}
