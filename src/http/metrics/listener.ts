import type { RequestListener } from 'node:http'
import { unknownPath } from '../../core/kernel/errors.ts'
import { refusalParts } from '../responses.ts'
import type { Metrics } from './metrics.ts'

/**
 * Answers `GET /metrics` on a port of its own, because metrics aren't for everyone who reaches the API.
 * @example
 * createServer(metricsListener(await createMetrics(chat))).listen(9464, '127.0.0.1')
 */
export const metricsListener =
  (metrics: Metrics): RequestListener =>
  async (req, res) => {
    const answer = (status: number, type: string, body: string) =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (req.method === 'GET' && req.url === '/metrics') {
      const text = await metrics.text().catch((error: Error) => error)
      if (typeof text === 'string') return void answer(200, metrics.contentType, text)
      return void answer(503, 'text/plain; charset=utf-8', `The metrics cannot be read: ${text.message}\n`)
    }
    const { status, body } = refusalParts(unknownPath())
    answer(status, 'application/json; charset=utf-8', body)
  }
