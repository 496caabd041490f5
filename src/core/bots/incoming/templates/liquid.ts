import type { Liquid } from 'liquidjs'
import { invalidField } from '../../../kernel/errors.ts'
import { code, link, plain, quote, untrusted } from '../format/text.ts'

/** The template language of integrations that administrators make: Liquid, without files and with limits. */

export const MAX_TEMPLATE_LENGTH = 10_000
const MAX_VALUE_LENGTH = 4000
/** Checked before each tag, output and stretch of text. A usual template takes about one, and other requests wait for it. */
const MAX_MILLISECONDS = 90
/** Units of memory as the library counts them, about a byte each. */
const MAX_MEMORY = 1_000_000

const TAGS = ['#', 'assign', 'break', 'capture', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless']
const FILTERS = [
  ...['abs', 'append', 'at_least', 'at_most', 'capitalize', 'ceil', 'compact', 'concat', 'default', 'divided_by'],
  ...['downcase', 'escape_once', 'first', 'floor', 'join', 'json', 'last', 'lstrip', 'map', 'minus', 'modulo', 'plus'],
  ...['prepend', 'remove', 'remove_first', 'replace', 'replace_first', 'reverse', 'round', 'rstrip', 'size', 'slice'],
  ...['sort', 'split', 'strip', 'strip_newlines', 'sum', 'times', 'truncate', 'truncatewords', 'uniq', 'upcase'],
  ...['url_decode', 'url_encode', 'where'],
]

let engine: Promise<Liquid> | undefined

async function create(): Promise<Liquid> {
  // Most servers have no templates, so the library loads with the first.
  const { Liquid } = await import('liquidjs')
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: MAX_MILLISECONDS,
    memoryLimit: MAX_MEMORY,
    outputEscape: (value) => plain(textOf(value), MAX_VALUE_LENGTH),
    // Tags that read files are removed below. Without this the library would look for files, should one remain.
    templates: {},
  })
  keepOnly(liquid.tags, TAGS)
  keepOnly(liquid.filters, FILTERS)
  const markdown: Readonly<Record<string, (text: string, more?: unknown) => string>> = {
    link: (label, url) => link(label, typeof url === 'string' ? url : undefined),
    quote,
    code,
    markdown: (text) => untrusted(text, MAX_VALUE_LENGTH),
  }
  // What these return is Markdown, so it isn't escaped again.
  for (const [name, filter] of Object.entries(markdown))
    liquid.registerFilter(name, { handler: (value, more) => filter(textOf(value), more), raw: true })
  return liquid
}

function keepOnly(table: Record<string, unknown>, names: readonly string[]): void {
  for (const name of Object.keys(table)) if (!names.includes(name)) delete table[name]
}

/** A value as text. Anything else than text is JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/**
 * Checks a template.
 *
 * @throws BAD_REQUEST with the place of the first error
 */
export async function requireTemplate(name: string, template: string): Promise<void> {
  engine ??= create()
  const liquid = await engine
  reported(name, () => liquid.parse(template))
}

/**
 * Returns a function that fills templates with a payload.
 *
 * @throws BAD_REQUEST where a template has an error or exceeds a limit
 */
export async function templates(): Promise<(name: string, template: string, payload: unknown) => string> {
  engine ??= create()
  const liquid = await engine
  return (name, template, payload) => reported(name, () => rendered(liquid, template, scopeOf(payload)))
}

const ATTEMPTS = 5

/** The library measures wall time. On a busy machine, this process may have spent most of it waiting, and tries again. */
function rendered(liquid: Liquid, template: string, scope: object): string {
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage()
    try {
      return String(liquid.parseAndRenderSync(template, scope)).trim()
    } catch (error) {
      const { user, system } = process.cpuUsage(before)
      const hasWaited = String(error).includes('render limit') && (user + system) / 1000 < MAX_MILLISECONDS
      if (!hasWaited || attempt === ATTEMPTS) throw error
    }
  }
}

/** Members of an object by their names, and all of the payload as `payload`, such as a list. */
const scopeOf = (payload: unknown): object => ({
  ...(typeof payload === 'object' && !Array.isArray(payload) && payload),
  payload,
})

function reported<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidField(name, `The template of "${name}" has an error: ${reason.slice(0, 300)}`)
  }
}
