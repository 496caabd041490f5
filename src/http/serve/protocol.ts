import { FastResponse } from 'srvx'
import type { ProtocolAnswer } from '../../core/kernel/answers.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import { success } from '../responses.ts'

const statuses: Readonly<Record<ProtocolAnswer['outcome'], number>> = { json: 200, created: 201, empty: 204 }

/** Sends the response of a protocol other than the API: a status, headers, and JSON members if there are any. */
export function sendProtocol(exchange: Exchange, { outcome, headers, members }: ProtocolAnswer): Response {
  const status = statuses[outcome]
  const all = { ...commonHeaders(exchange), ...headers }
  if (exchange.event.req.method === 'HEAD') return new FastResponse(null, { status, headers: all })
  if (!members) return new FastResponse(null, { status, headers: { 'cache-control': 'no-store', ...all } })
  return success(members, [], all, status)
}
