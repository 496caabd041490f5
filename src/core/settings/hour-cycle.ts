/** The setting whose value follows the language of the account, or of the organization, until somebody chooses one. */
export const TIME_SETTING = 'twenty_four_hour_time'

const known = new Map<string, boolean>()

/** Returns whether people who use a language write 14:05, as in German, rather than 2:05 PM. */
export function hasDayHours(language: string): boolean {
  let found = known.get(language)
  if (found === undefined) {
    const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions()
    found = hourCycle === 'h23' || hourCycle === 'h24'
    known.set(language, found)
  }
  return found
}
