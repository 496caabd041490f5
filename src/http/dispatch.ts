import type { EventHandler } from 'h3'
import { FastResponse } from 'srvx'
import { admitSpectator, requireRole } from '../core/kernel/action.ts'
import type { EventFeed, ProtocolAnswer, Redirect, ScimAnswer, ServedFile } from '../core/kernel/answers.ts'
import { type Caller, callerOf, contextOf } from '../core/kernel/context.ts'
import { badRequest, ChatError, errorCodes } from '../core/kernel/errors.ts'
import { basePath } from '../core/kernel/public-url.ts'
import { requireScope } from '../core/kernel/scopes.ts'
import { isSpectator, spectator } from '../core/kernel/spectator.ts'
import { type AnswerKind, BROWSER_HEADER } from '../core/kernel/transport.ts'
import { readForm } from './body/form.ts'
import { readBody } from './body/read.ts'
import { clientName } from './client-name.ts'
import { decode, ignoredNames } from './decode.ts'
import { beginExchange, commonHeaders, cookieOf, type Exchange, endExchange, shellOf, waitSignal } from './exchange.ts'
import { failure } from './failure.ts'
import { type Operation, operationOf, rulesFor, takeFile } from './operation.ts'
import { textsFor } from './pages/language.ts'
import { beginPageSession } from './pages/page-session.ts'
import { browserOf, recognized } from './pages/sign-on/browser.ts'
import { Parameters } from './parameters.ts'
import { allowHeader, refusal, success, wrongMethod } from './responses.ts'
import { type AnyAction, methods, type Routes } from './route-types.ts'
import type { Asset } from './serve/asset.ts'
import { sendAsset } from './serve/asset.ts'
import { sendBytes } from './serve/bytes.ts'
import { sendEvents } from './serve/events.ts'
import { sendJson } from './serve/json.ts'
import type { Page } from './serve/page.ts'
import { sendPage } from './serve/page.ts'
import { sendProtocol } from './serve/protocol.ts'
import { sendRedirect } from './serve/redirect.ts'
import { inScimForm, sendScim } from './serve/scim.ts'
import { sendText } from './serve/text.ts'
import { KEY_PARAMETER, signIn, signInByToken } from './sign-in/credentials.ts'
import { newCsrfCookie } from './sign-in/csrf-token.ts'
import { isOfProxy } from './sign-in/proxy-headers.ts'
import { applySession, requireLocalPage, requireOwnPage, sessionText } from './sign-in/session.ts'

/** Returns one handler for all methods of a path, since h3 would answer a wrong method with 404. */
export function handlerOf(path: string, row: Routes[string]): EventHandler {
  const operations = new Map<string, Operation>()
  for (const method of [...methods, 'HEAD', 'OPTIONS'] as const) {
    const action = row[method]
    if (action) operations.set(method, operationOf(action, path))
    // HEAD isn't useful for an event stream.
    const get = method === 'HEAD' && !action && row.GET?.answers !== 'events' && operations.get('GET')
    if (get) operations.set('HEAD', get)
  }
  const allowed = [...operations.keys()]

  return (event) => {
    const request = event.runtime?.node?.req
    if (request && request.headers.host === undefined && request.httpVersion !== '1.0') {
      return refusal(badRequest('The Host header is missing'))
    }
    const operation = operations.get(event.req.method)
    if (operation) return perform(beginExchange(shellOf(event), event), operation)
    if (event.req.method !== 'OPTIONS') return wrongMethod(allowed)
    return new FastResponse(null, { status: 204, headers: { allow: allowHeader(allowed) } })
  }
}

/** How to send each kind of response other than JSON. */
const senders: Readonly<
  Record<Exclude<AnswerKind, 'page' | 'json'>, (exchange: Exchange, result: object) => Response>
> = {
  text: (exchange, result) => sendText(exchange, result as { text: string }),
  bytes: (exchange, result) => sendBytes(exchange, result as ServedFile),
  events: (exchange, result) => sendEvents(exchange, result as EventFeed),
  redirect: (exchange, result) => sendRedirect(exchange, result as Redirect),
  protocol: (exchange, result) => sendProtocol(exchange, result as ProtocolAnswer),
  scim: (exchange, result) => sendScim(exchange, result as ScimAnswer),
  asset: (exchange, result) => sendAsset(exchange, result as Asset),
}

/** Signs a browser in or out. The key is only in the cookie. */
function sendSession(exchange: Exchange, session: 'begin' | 'end', result: object): Response {
  const { answer, cookie } = applySession(session, result, cookieOf(exchange))
  return success(answer, [], { ...commonHeaders(exchange), 'set-cookie': cookie })
}

/** Responds with a key, and signs the client in with it. */
function sendKeyAndSession(exchange: Exchange, result: object, ignored: readonly string[]): Response {
  const { chat } = exchange.shell
  const { api_key } = result as { api_key: string }
  const response = success(result, ignored, commonHeaders(exchange))
  response.headers.append('set-cookie', sessionText(cookieOf(exchange), api_key))
  response.headers.append('set-cookie', newCsrfCookie(chat.random, basePath(chat) || '/'))
  return response
}

/** Handles one request: sign in, count, read, decode, call, respond. The body isn't read before the user is known. */
async function perform(exchange: Exchange, operation: Operation): Promise<Response> {
  const { action } = operation
  const { event } = exchange
  exchange.answerHeaders = action.answerHeaders
  try {
    await admit(exchange, operation)
    const { params, ignored, client } = await readParameters(exchange, operation)
    if (action.credentials === 'bearer' && !exchange.who) await admitToken(exchange, params.token)
    const caller = callerFor(exchange, action, client)
    const result = await action(caller, params)
    if (exchange.closeBody) await exchange.closeBody()
    if (action.session === 'also') return sendKeyAndSession(exchange, result, ignored)
    if (action.session && action.session !== 'prepare') return sendSession(exchange, action.session, result)
    if (action.answers === 'page') {
      const { page, cookies } = await beginPageSession(caller, event, cookieOf(exchange), result as Page)
      return sendPage(exchange, page, await textsFor(caller, page, event.req.headers.get('accept-language')), cookies)
    }
    const { answers = 'json' } = action
    if (answers !== 'json') return senders[answers](exchange, result)
    if (!('ignored_parameters_unsupported' in result)) return sendJson(exchange, action, result, ignored)
    const { ignored_parameters_unsupported: more, ...rest } = result as { ignored_parameters_unsupported: string[] }
    return sendJson(exchange, action, rest, [...ignored, ...more])
  } catch (error) {
    if (exchange.closeBody) await exchange.closeBody()
    await noteRejected(exchange, action, error)
    const failed = failure(exchange, error)
    return action.answers === 'scim' ? inScimForm(failed) : failed
  } finally {
    if (!exchange.streaming) endExchange(exchange)
  }
}

/** Tells an action about a request that is rejected, unless a limit was hit, which is no reason to do more. */
async function noteRejected(exchange: Exchange, action: AnyAction, error: unknown): Promise<void> {
  if (!action.rejected || !exchange.who || !(error instanceof ChatError)) return
  if (error.kind === 'rate' || error.kind === 'credentials') return
  try {
    await action.rejected(callerFor(exchange, action, undefined), exchange.event.url.pathname, error)
  } catch (err) {
    exchange.shell.chat.options.logger.error({ err }, 'a rejected request could not be recorded')
  }
}

/** Identifies the user by a token among the parameters, where clients may send it instead of a header. */
async function admitToken(exchange: Exchange, token: unknown): Promise<void> {
  const { shell, client } = exchange
  exchange.who = await signInByToken(shell.chat, typeof token === 'string' ? token : '')
  const counting = shell.guards.user(exchange.who.user, client)
  if (counting) exchange.quota = await counting
}

/** Identifies the user, and counts the request. */
async function admit(exchange: Exchange, { action }: Operation): Promise<void> {
  const { shell, event, client } = exchange
  const { guards } = shell
  if (action.role === 'visitor') {
    if (action.session === 'also') requireLocalPage(event)
    else if (action.session) requireOwnPage(event, shell.chat.options.dev)
    const { limit = 'address' } = action
    const counting = limit === 'none' ? undefined : guards.address(client, limit)
    if (counting) exchange.quota = await counting
    return
  }
  if (action.credentials === 'bearer' && !event.req.headers.has('authorization')) {
    exchange.quota = await guards.address(client, 'address')
    return
  }
  try {
    exchange.who = await signIn(shell.chat, event, cookieOf(exchange), {
      credentials: action.credentials,
      byHost: shell.authenticate,
      address: client.address,
    })
    if (!exchange.who) {
      await admitSpectator(action, contextOf(shell.chat))
      exchange.who = { user: spectator }
    }
  } catch (error) {
    const failed = error instanceof ChatError && errorCodes[error.code] === 'credentials'
    if (failed) exchange.quota = await guards.address(client, 'address')
    throw error
  }
  const { user } = exchange.who
  const isFile = action.answers === 'bytes'
  const counting = isSpectator(user)
    ? guards.address(client, isFile ? 'files' : 'address')
    : guards.user(user, client, isFile ? 'files' : action.accountLimit)
  if (counting) exchange.quota = await counting
  // Rejects a limited key, and a user without the required role, before reading their file.
  if (exchange.who.grant) requireScope(exchange.who.grant, action.name)
  if (action.file) requireRole(exchange.who, action.role ?? 'anyone')
}

/** Returns what recognizes the browser; empty for an unknown one, unless the response gives it a cookie. */
function recognizeBrowser(exchange: Exchange, isFirst: boolean): string {
  const { shell, event, client } = exchange
  const here = { chat: shell.chat, origin: client.origin }
  const cookie = event.req.headers.get('cookie')
  if (!isFirst) return browserOf(here, { cookie })?.id ?? ''
  const recognizing = recognized(here, { cookie })
  exchange.answerHeaders = { ...exchange.answerHeaders, 'set-cookie': recognizing.cookie }
  return recognizing.browser.id
}

/** Decodes everything in the request into the action's parameters. */
async function readParameters(exchange: Exchange, operation: Operation) {
  const { shell, event } = exchange
  const { action, plan, fixed } = operation
  const texts = new Parameters(fixed)
  const { search } = event.url
  if (search.length > 1) readForm(texts, search.slice(1))
  for (const [name, header] of operation.headers) {
    if (header === BROWSER_HEADER) {
      texts.set(name, recognizeBrowser(exchange, action.session === 'prepare'))
      continue
    }
    if (isOfProxy(header)) {
      const named = shell.proxyHeader(event, header)
      if (named !== undefined) texts.set(name, named)
      continue
    }
    const text = event.req.headers.get(header)
    if (text && fixed.has(name)) texts.set(name, text)
    else if (text) texts.addText(name, text)
  }
  const reading = readBody(event, texts, rulesFor(operation, shell.chat.options), shell.deadlines)
  const body = reading instanceof Promise ? await reading : reading
  exchange.closeBody = body.close
  for (const name of operation.path) texts.set(name, decodeURIComponent(event.context.params?.[name] ?? ''))
  if (action.credentials === 'query') texts.delete(KEY_PARAMETER)

  const params = decode(plan, texts, texts.members)
  const ignored = ignoredNames(plan, texts, texts.members)
  const file = takeFile(operation, body)
  ignored.push(...file.ignored)
  if (file.value) params[plan.file!.name] = file.value
  if (body.value !== undefined) params[operation.rules.whole!.param] = body.value
  const declared = plan.names.has('client') ? undefined : (texts.get('client') ?? texts.members?.get('client'))
  return { params, ignored, client: typeof declared === 'string' ? declared : undefined }
}

/** Returns the caller for the action. Only public actions are called without a user, and they need only a context. */
function callerFor(exchange: Exchange, action: AnyAction, declared: string | undefined): Caller {
  const { shell, event, client, who } = exchange
  const { headers } = event.req
  const options = {
    client: clientName(declared, headers.get('user-agent')),
    origin: client.origin,
    address: client.address,
    signal: waitSignal(exchange),
    guardPassword: shell.guards.password(client),
    key_id: who?.key_id,
    grant: who?.grant,
    idempotencyKey: idempotencyKeyOf(event.req, action),
  }
  return (who ? callerOf(shell.chat, who.user, options) : contextOf(shell.chat, options)) as Caller
}

/** Throws where a repeated request would make a second secret, since the first answer is not stored. */
function idempotencyKeyOf({ method, headers }: Request, action: AnyAction): string | undefined {
  const key = method === 'POST' ? headers.get('idempotency-key') : null
  if (key !== null && action.secret === true && !action.idempotencyKey) {
    throw badRequest("This request doesn't accept an Idempotency-Key, because its response contains a secret.")
  }
  return key ?? undefined
}
