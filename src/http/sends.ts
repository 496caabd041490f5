import type { IncomingMessage, ServerResponse } from 'node:http'
import { H3Event } from 'h3'
import { NodeRequest } from 'srvx/node'
import { authenticateSoon, isKey, type SignedIn } from '../core/accounts/keys.ts'
import { callerOf } from '../core/kernel/context.ts'
import { requireScope } from '../core/kernel/scopes.ts'
import { sendMessage } from '../core/messages/send/send.ts'
import { readForm } from './body/form.ts'
import { drain, isWhole } from './body/source.ts'
import { clientName } from './client-name.ts'
import { decode, ignoredNames } from './decode.ts'
import { beginExchange, type Shell } from './exchange.ts'
import { failure } from './failure.ts'
import { type Quota, quotaHeaders } from './guards/quota.ts'
import type { Metrics } from './metrics/metrics.ts'
import { operationOf } from './operation.ts'
import { Parameters } from './parameters.ts'
import { type PollListener, repeatsHeader } from './poll-listener.ts'
import type { Client } from './proxy.ts'
import { jsonHeaders, successText, textOf } from './responses.ts'
import { writeText } from './serve/write-text.ts'
import { basicCredentials } from './sign-in/credentials.ts'

interface SendOptions {
  shell: Shell
  /** The path of messages. */
  path: string
  metrics: Metrics | undefined
}

/** Headers that change how a request is answered. `accept-encoding` may have no other effect on a short answer. */
const SPECIAL = ['origin', 'transfer-encoding', 'content-encoding', 'expect', 'upgrade'] as const
const SPECIAL_ENCODING = /identity|\*/i
const FORM = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i
/** A form that usually arrives together with its head. */
const SHORT = /^[1-9]\d{0,4}$/

const { action, plan, fixed } = operationOf(sendMessage, '/messages')

interface Sender {
  readonly client: Client
  readonly who: SignedIn
  readonly quota: Quota | undefined
}

/**
 * Recognizes messages as programs send them: a short form, with an API key. Everything unusual is left to the shell before
 * the form is read, and so are requests that it rejects then. Later errors are answered here, in the shell's words.
 */
export function sendListener({ shell, path, metrics }: SendOptions): PollListener {
  const flat = Object.entries(jsonHeaders).flat()
  const { chat, guards } = shell

  /** Identifies the sender, and counts the request; undefined if the request is for the shell. */
  async function admit(request: IncomingMessage): Promise<Sender | undefined> {
    const given = basicCredentials(request.headers.authorization ?? null)
    if (!given || !isKey(given.password)) return undefined
    const client = shell.clientOf({ runtime: { node: { req: request } } })
    try {
      // The await is needed: the form arrives after the call of the listener.
      const who = await authenticateSoon(chat, given.name, given.password, client.address)
      if (!who || request.readableDidRead || !isWhole(request)) return undefined
      if (who.grant) requireScope(who.grant, action.name)
      const counting = guards.user(who.user, client)
      return { client, who, quota: counting && (await counting) }
    } catch {
      return undefined
    }
  }

  async function send(request: IncomingMessage, { client, who }: Sender): Promise<string> {
    const { headers } = request
    const texts = new Parameters(fixed)
    readForm(texts, String(request.read()))
    const params = decode(plan, texts)
    const ignored = ignoredNames(plan, texts)
    const caller = callerOf(chat, who.user, {
      client: clientName(texts.get('client'), headers['user-agent'] ?? null),
      origin: client.origin,
      address: client.address,
      guardPassword: guards.password(client),
      key_id: who.key_id,
      grant: who.grant,
      idempotencyKey: headers['idempotency-key'] as string | undefined,
    })
    return successText(await action(caller, params), ignored)
  }

  async function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { who, quota }: Sender,
    error: unknown,
  ): Promise<Response> {
    await drain({ stream: request, socket: true, deadlines: shell.deadlines })
    const event = new H3Event(new NodeRequest({ req: request, res: response }))
    return failure(Object.assign(beginExchange(shell, event), { who, quota }), error)
  }

  function writeSuccess(response: ServerResponse, text: string, quota: Quota | undefined): void {
    const more = quota ? Object.entries(quotaHeaders(quota)).flat() : []
    if (shell.closing) more.push('connection', 'close')
    response.writeHead(200, [...flat, ...more, 'content-length', String(Buffer.byteLength(text))])
    response.end(text)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const startedAt = performance.now()
    const sender = await admit(request)
    if (!sender) return false
    let sent: string | Response
    try {
      sent = await send(request, sender)
    } catch (error) {
      sent = await refuse(request, response, sender, error)
    }
    // The host application may have answered itself, for example after a time limit of its own.
    if (response.headersSent) return true
    if (typeof sent === 'string') writeSuccess(response, sent, sender.quota)
    else writeText(sent, textOf(sent)!, response)
    metrics?.answered('POST', path, response.statusCode, (performance.now() - startedAt) / 1000)
    return true
  }

  return (request, response) => isPlain(request, path) && answer(request, response)
}

function isPlain(request: IncomingMessage, path: string): boolean {
  const { url, method, headers } = request
  if (method !== 'POST' || url !== path || request.httpVersion !== '1.1') return false
  if (headers.host === undefined || SPECIAL.some((name) => headers[name] !== undefined)) return false
  if (!SHORT.test(headers['content-length'] ?? '') || !FORM.test(headers['content-type'] ?? '')) return false
  return !SPECIAL_ENCODING.test(String(headers['accept-encoding'] ?? '')) && !repeatsHeader(request)
}
