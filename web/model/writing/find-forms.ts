import { pieceTexts } from '../../texts/piece-texts.ts'
import { hasDayHours, locale } from '../state/language.ts'
import type { Session } from '../state/session.ts'
import { best, folded } from './matching.ts'
import { usualTimes } from './scheduled.ts'
import { MOST, type Suggestion } from './suggestion.ts'

const commands: readonly [command: string, about: string, insert: string][] = [
  ['/me', pieceTexts.typeahead.me, '/me '],
  ['/poll', pieceTexts.typeahead.poll, '/poll '],
  ['/todo', pieceTexts.typeahead.todo, '/todo '],
]

/** Commands that begin a message: our own, and the commands of bots. */
export function findCommands({ state }: Session, word: string): Suggestion[] {
  // A page that begins with a state cached by an earlier version has none.
  const ofBots = (state.bot_commands ?? []).map(({ name, usage, description, bot_id }) => ({
    label: `/${name} ${usage}`.trim(),
    detail: description,
    insert: `/${name} `,
    user_id: bot_id,
  }))
  const own = commands.map(([label, detail, insert]) => ({ label, detail, insert }))
  return [...own, ...ofBots].filter(({ insert }) => insert.startsWith(word.toLowerCase()))
}

const blocks: readonly [name: string, about: string][] = [
  ['quote', pieceTexts.typeahead.quote],
  ['spoiler', pieceTexts.typeahead.spoiler],
  ['math', pieceTexts.typeahead.math],
]
const languages =
  'bash c c++ c# clojure css dart diff dockerfile elixir erlang go graphql haskell html ini java javascript js json jsx julia kotlin latex lua makefile markdown nginx ocaml perl php powershell python py r ruby rust scala scss sh sql swift text toml ts tsx typescript xml yaml zig'.split(
    ' ',
  )

/** What may follow the marks of a block: a language, or the kind of block. */
export function findLanguages({ state }: Session, word: string): Suggestion[] {
  const [, fence = '', query = ''] = /^([`~]{3,}) ?(.*)$/u.exec(word) ?? []
  const played = state.realm_playgrounds.map(({ pygments_language }) => pygments_language.toLowerCase())
  const known = new Map([
    ...blocks,
    ...[...played, ...languages].map((name) => [name, pieceTexts.typeahead.code] as const),
  ])
  const names = [...known].sort(([a], [b]) => Number(b === query) - Number(a === query))
  return best(names, folded(query), ([name]) => name, MOST).map(([name, detail]) => ({
    label: name,
    detail,
    insert: `${fence}${name}\n`,
  }))
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** A time as people write it, such as "14:30", "tomorrow 9", "fri 16:00" or "2026-12-24 18:00"; undefined where it is none. */
function readTyped(text: string, now: Date): Date | undefined {
  const pattern =
    /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(today|tomorrow|(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*))?[ t]*(?:at )?(?:(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?)?$/iu
  const [whole, year, month, date, named = '', hour, minute = '0', half = ''] = pattern.exec(text.trim()) ?? []
  if (!whole) return undefined
  const day = named.toLowerCase()
  const weekday = weekdays.indexOf(day.slice(0, 3))
  const ahead = day === 'tomorrow' ? 1 : weekday === -1 ? 0 : (weekday - now.getDay() + 7) % 7 || 7
  const afternoon = /pm/i.test(half) && Number(hour) < 12 ? 12 : /am/i.test(half) && Number(hour) === 12 ? -12 : 0
  const hours = hour === undefined ? 9 : Number(hour) + afternoon
  if (hours > 23 || Number(minute) > 59) return undefined
  const at = year
    ? new Date(Number(year), Number(month) - 1, Number(date), hours, Number(minute))
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead, hours, Number(minute))
  // A time alone is the next one.
  if (!year && !day && at < now) at.setDate(at.getDate() + 1)
  return at
}

/** Times that `<time:` may be followed by; each reader sees them in their own zone. */
export function findTimes({ state }: Session, word: string): Suggestion[] {
  const now = new Date()
  const query = word.replace(/^<time:/, '')
  const typed = query.trim() === '' ? undefined : readTyped(query, now)
  const times =
    query.trim() === ''
      ? [{ label: pieceTexts.typeahead.now, at: now }, ...usualTimes(now)]
      : typed
        ? [{ label: '', at: typed }]
        : []
  const format = new Intl.DateTimeFormat(locale.value, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
    hourCycle: hasDayHours(state.user_settings.twenty_four_hour_time) ? 'h23' : 'h12',
  })
  return times.map(({ label, at }) => {
    const shown = format.format(at)
    const insert = `<time:${at.toISOString().slice(0, 16)}:00Z> `
    return { label: label || shown, ...(label && { detail: shown }), insert }
  })
}
