import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { FastResponse } from 'srvx/node'

/** Sends head and text in one write. srvx writes them first and ends the response afterwards, which takes longer. */
export function writeText(answer: Response, text: string, response: ServerResponse): void {
  const { status, headers } = (answer as FastResponse)._toNodeResponse()
  response.writeHead(status, STATUS_CODES[status], headers)
  response.end(text)
}
