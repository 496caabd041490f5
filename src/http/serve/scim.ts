import { FastResponse } from 'srvx'
import type { ScimAnswer } from '../../core/kernel/answers.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import { isCached } from './bytes.ts'
import { longDocument } from './long-answer.ts'
import { inTurn, streamBody } from './stream.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const headers = { 'content-type': 'application/scim+json; charset=utf-8', 'cache-control': 'no-store' }

/** The version of a resource. Lists have none. */
const etagOf = (document: { meta?: { version?: string } }): string | undefined => document.meta?.version

/** Sends a document of SCIM, or 204 without one. A reader that has this version gets 304. */
export function sendScim(exchange: Exchange, { document, created, location }: ScimAnswer): Response {
  const all: Record<string, string> = {
    ...commonHeaders(exchange),
    ...headers,
    ...(location !== undefined && { location }),
  }
  if (!document) return new FastResponse(null, { status: 204, headers: { ...commonHeaders(exchange) } })
  const etag = etagOf(document)
  if (etag !== undefined) {
    all.etag = etag
    const { method, headers } = exchange.event.req
    if (method === 'GET' && isCached(headers.get('if-none-match'), etag.replace(/^W\//, '')))
      return new FastResponse(null, { status: 304, headers: { ...commonHeaders(exchange), etag } })
  }
  const status = created ? 201 : 200
  const long = longDocument(document)
  if (!long) return new FastResponse(JSON.stringify(document), { status, headers: all })
  return new FastResponse(streamBody(exchange, inTurn(long.pieces), long.isOwn), { status, headers: all })
}

/** Returns an error of the API in the form of RFC 7644. */
export function inScimForm(refusal: Response & { bodyText?: string }): Response {
  const { msg, scimType } = JSON.parse(refusal.bodyText ?? '{}') as { msg?: string; scimType?: string }
  const members = { schemas: [ERROR], status: String(refusal.status), ...(scimType && { scimType }), detail: msg }
  const all = new Headers(refusal.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  if (refusal.status === 401) all.set('www-authenticate', 'Bearer')
  return new FastResponse(JSON.stringify(members), { status: refusal.status, headers: all })
}
