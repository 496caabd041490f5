import table from './short-names.json' with { type: 'json' }

/** Short names of Slack, Mattermost and others that Zulip's clients have under another name; ours comes first in each line. */
let names: Map<string, string> | undefined

function known(): Map<string, string> {
  if (names) return names
  names = new Map()
  for (const line of table) {
    const [ours, ...theirs] = line.split(' ')
    for (const name of theirs) names.set(name, ours!)
  }
  return names
}

/** An emoji's name as it is known here; unchanged where both names are the same, and for custom emoji. */
export const emojiName = (name: string, custom?: ReadonlySet<string>): string =>
  custom?.has(name) ? name : (known().get(name) ?? name)

/** The same for all emoji in a text. */
export const withEmojiNames = (text: string, custom?: ReadonlySet<string>): string =>
  text.includes(':') ? text.replace(/:([\w+-]{1,60}):/g, (_, name: string) => `:${emojiName(name, custom)}:`) : text
