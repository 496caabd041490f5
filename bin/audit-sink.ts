import { createSocket } from 'node:dgram'
import { appendFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { jsonLine } from '../src/core/organization/audit/formats.ts'
import type { AuditSink } from '../src/core/organization/audit/stream.ts'

const SYSLOG_PORT = 514
/** Facility `authpriv` with the severities `notice` and `warning` (RFC 5424). */
const NOTICE = 10 * 8 + 5
const WARNING = 10 * 8 + 4

/**
 * Returns where `--audit-log` sends entries: a file, which is opened each time so that it can be rotated, or a syslog
 * server over UDP.
 *
 * @throws Error for a syslog address without a host
 */
export function auditSink(target: string): AuditSink {
  if (!/^syslog(:|$)/.test(target)) {
    const file = resolve(target)
    return (entries) => appendFile(file, entries.map((entry) => `${jsonLine(entry)}\n`).join(''), { mode: 0o600 })
  }
  const { host, port } = syslogServer(target)
  return async (entries) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    try {
      for (const entry of entries) {
        const priority = entry.outcome === 'ok' ? NOTICE : WARNING
        const at = new Date(entry.at * 1000).toISOString()
        const line = `<${priority}>1 ${at} ${hostname() || '-'} chat-server ${process.pid} audit - ${jsonLine(entry)}`
        await new Promise<void>((sent, failed) =>
          socket.send(line, port, host, (error) => (error ? failed(error) : sent())),
        )
      }
    } finally {
      socket.close()
    }
  }
}

function syslogServer(target: string): { host: string; port: number } {
  if (target === 'syslog') return { host: '127.0.0.1', port: SYSLOG_PORT }
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url?.hostname) {
    throw new Error(`${target} is not an address of a syslog server. Use a form such as syslog://logs.example.com:514`)
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? SYSLOG_PORT : Number(url.port) }
}
