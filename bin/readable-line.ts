interface Line {
  time: string
  level: string
  msg?: string
  err?: { stack?: string; message?: string }
  [detail: string]: unknown
}

const colours: Readonly<Record<string, number>> = { info: 36, warn: 33, error: 31, fatal: 31 }

/** A line of the log as people read it: `12:30:00 warn  what happened  name=value`. Only a stack takes more lines. */
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

/** Nothing that came from outside moves the cursor or begins a line of its own. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')
