import type { EventHandler, H3Event } from 'h3'
import { FastResponse } from 'srvx'
import type { SignedIn } from '../core/accounts/keys.ts'
import type { Chat } from '../core/chat.ts'
import { type Caller, callerOf, contextOf } from '../core/context.ts'
import { badRequest, ChatError } from '../core/errors.ts'
import { randomText } from '../core/random.ts'
import type { User } from '../core/user.ts'
import { allowHeader, type Headers, knownError, refusal, success, wrongMethod } from './answers.ts'
import { type BodyLimits, MAX_FORM_BYTES, readBody } from './body.ts'
import { signIn } from './credentials.ts'
import { Received, takeForm } from './form.ts'
import type { Limits } from './limits.ts'
import { originOf } from './origin.ts'
import { programOf } from './program.ts'
import { type AnyAction, methods, pathNames, type Routes } from './table.ts'
import { decode, ignoredNames, planOf, type WirePlan } from './wire.ts'

/** What every request of one app shares. */
export interface Shell {
  chat: Chat
  limits: Limits
  publicUrl: string | undefined
  trustProxy: boolean
  /** Requests that may be waiting for news. */
  waiting: Set<AbortController>
  /** The server is going away: no connection is kept. */
  closing: boolean
}

interface Operation {
  action: AnyAction
  plan: WirePlan
  limits: BodyLimits
  /** The parameter that names the account whose password is tried. */
  account: string | undefined
}

/** Where a password is tried, and the parameter that names the account. */
const passwordRoutes: Readonly<Record<string, string>> = { '/fetch_api_key': 'username' }

/** One handler for all methods of a path: h3 would answer a wrong method with 404. */
export function handlerOf(shell: Shell, path: string, row: Routes[string]): EventHandler {
  const fixed = pathNames(path)
  const operations = new Map<string, Operation>()
  for (const method of methods) {
    const action = row[method]
    if (action) operations.set(method, operationOf(shell.chat, action, passwordRoutes[path]))
  }
  const get = operations.get('GET')
  if (get) operations.set('HEAD', get)

  return (event) => {
    const operation = operations.get(event.req.method)
    if (operation) return perform(shell, event, operation, fixed)
    const allowed = [...operations.keys()]
    if (event.req.method !== 'OPTIONS') return wrongMethod(allowed)
    return new FastResponse(null, { status: 204, headers: { allow: allowHeader(allowed) } })
  }
}

function operationOf(chat: Chat, action: AnyAction, account: string | undefined): Operation {
  const plan = planOf(action.params)
  const file = plan.file === undefined ? 0 : chat.options.maxEmojiFileSizeMib * 1024 * 1024
  return { action, plan, limits: { bytes: file + MAX_FORM_BYTES, file }, account }
}

/** One request: authenticate, read, decode, call, answer. The body is untouched until we know who asks. */
async function perform(shell: Shell, event: H3Event, operation: Operation, fixed: ReadonlySet<string>) {
  const { chat, limits } = shell
  const { action, plan } = operation
  let who: SignedIn | undefined
  try {
    if (action.role === 'visitor') limits.visitor(event)
    else who = await limits.signIn(event, () => signIn(chat, event.req.headers.get('authorization')))

    const received = new Received(fixed)
    const { search } = event.url
    if (search.length > 1) takeForm(received, search.slice(1))
    const files = await readBody(event, received, operation.limits)
    for (const name of fixed) received.set(name, decodeURIComponent(event.context.params?.[name] ?? ''))

    const params = decode(plan, received)
    const ignored = ignoredNames(plan, received)
    if (plan.file === undefined) ignored.push(...new Set(files.map((file) => file.field)))
    else {
      if (files.length !== 1) throw badRequest('You must upload exactly one file.')
      params[plan.file] = { name: files[0]!.name, bytes: files[0]!.bytes }
    }
    const call = () =>
      callAs(shell, event, who, plan.names.has('client') ? undefined : received.get('client'), action, params)
    const account = operation.account === undefined ? undefined : received.get(operation.account)
    const result = await (account === undefined ? call() : limits.password(account, call))
    return success(result, ignored, extraHeaders(shell, event, who?.user))
  } catch (error) {
    return failure(shell, event, error, extraHeaders(shell, event, who?.user))
  }
}

async function callAs(
  shell: Shell,
  event: H3Event,
  who: SignedIn | undefined,
  said: string | undefined,
  action: AnyAction,
  params: Record<string, unknown>,
): Promise<object> {
  const client = programOf(said, event.req.headers.get('user-agent'))
  const origin = originOf(event, shell.publicUrl, shell.trustProxy)
  // Only what reads can wait for something; a change that has begun is finished whoever still listens.
  const waiting = /^(GET|HEAD)$/.test(event.req.method) ? new AbortController() : undefined
  const idempotencyKey =
    event.req.method === 'POST' ? (event.req.headers.get('idempotency-key') ?? undefined) : undefined
  const options = { client, origin, signal: waiting?.signal, key_id: who?.key_id, idempotencyKey }
  // Only public actions are called without a user, and they ask for no more than a context.
  const caller = (who ? callerOf(shell.chat, who.user, options) : contextOf(shell.chat, options)) as Caller
  if (!waiting) return action(caller, params)
  const forget = onGone(event, () => waiting.abort())
  shell.waiting.add(waiting)
  try {
    return await action(caller, params)
  } finally {
    shell.waiting.delete(waiting)
    forget()
  }
}

/** Calls back when the client goes; returns what takes that back. The request's own signal costs a poll 2 KiB more. */
function onGone(event: H3Event, callback: () => void): () => void {
  const response = event.runtime?.node?.res
  if (response) {
    response.once('close', callback)
    return () => void response.off('close', callback)
  }
  const { signal } = event.req
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

function extraHeaders(shell: Shell, event: H3Event, user: User | undefined): Headers | undefined {
  const headers = shell.limits.headers(event, user)
  return shell.closing ? { ...headers, connection: 'close' } : headers
}

/** The answer to whatever was thrown. A bug is told to the log in full and to the client by its number only. */
export function failure({ chat }: Pick<Shell, 'chat'>, event: H3Event, error: unknown, headers?: Headers): Response {
  const known = knownError(error)
  // What the client still sends of a body that was given up would be taken for the next request.
  const unfinished = event.runtime?.node?.req.readableDidRead && !event.runtime.node.req.readableEnded
  const extra = unfinished ? { ...headers, connection: 'close' } : headers
  if (known) return refusal(known, extra)
  const request_id = randomText(chat.random, 12)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause = error instanceof Error && error.cause !== undefined ? { cause: String(error.cause) } : {}
  chat.options.log(`request ${request_id} failed`, {
    request_id,
    method: event.req.method,
    path: event.url.pathname,
    stack,
    ...cause,
  })
  return refusal(new ChatError('INTERNAL_ERROR', `Internal server error (request ${request_id})`), {
    ...extra,
    'x-request-id': request_id,
  })
}
