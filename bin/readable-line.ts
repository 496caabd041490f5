interface Line {
  time: string
  level: string
  msg?: string
  err?: { stack?: string; message?: string }
  [detail: string]: unknown
}

const colours: Readonly<Record<string, number>> = { info: 36, warn: 33, error: 31, fatal: 31 }

/** Formats a log line for people: `12:30:00 warn message name=value`. Only a stack trace takes more lines. */
export function readableLine(json: string, coloured: boolean): string {
  const { time, level, msg = '', err, ...details } = JSON.parse(json) as Line
  const clock = new Date(time).toTimeString().slice(0, 8)
  const shown = Object.entries(details).map(([name, value]) => `  ${name}=${valueText(value)}`)
  const stack = err ? `\n${(err.stack ?? err.message ?? '').split('\n').map(plain).join('\n')}` : ''
  const shownLevel = coloured ? `\x1b[${colours[level] ?? 0}m${level.padEnd(5)}\x1b[0m` : level.padEnd(5)
  return `${clock} ${shownLevel} ${plain(msg)}${shown.join('')}${stack}\n`
}

const valueText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text)
}

/** Removes control characters, so that outside text can't move the cursor or begin a line. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')
