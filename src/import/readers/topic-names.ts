import type { Topics } from './reader.ts'

/** Specification, Limits. */
const MAX_TOPIC = 60

/** A text as a topic's name: its first words. */
export function topicOf(text: string, otherwise: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  const characters = [...words]
  if (characters.length === 0) return otherwise
  if (characters.length <= MAX_TOPIC) return words
  const cut = characters.slice(0, MAX_TOPIC - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > 20 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Names for threads that no other topic of the channel has. */
export function topicNames(main: string) {
  const taken = new Map<string, Map<string, number>>()
  return (channel: string, text: string, otherwise: string): string => {
    const name = topicOf(text, otherwise)
    const names = taken.get(channel) ?? new Map([[main.toLowerCase(), 1]])
    taken.set(channel, names)
    const key = name.toLowerCase()
    const count = (names.get(key) ?? 0) + 1
    names.set(key, count)
    if (count === 1) return name
    const suffix = ` (${count})`
    const numbered = [...name].slice(0, MAX_TOPIC - suffix.length).join('') + suffix
    names.set(numbered.toLowerCase(), 1)
    return numbered
  }
}

/** The topics of messages that are in no thread. */
export function mainTopics(main: string, topics: Topics) {
  const last = new Map<string, { date: number; topic: string }>()
  return (channel: string, date: number): string => {
    if (topics === 'one') return main
    const time = new Date(date * 1000)
    // The writer rejects such a date with a sentence.
    if (Number.isNaN(time.getTime())) return main
    const stamp = time.toISOString()
    if (topics === 'by-day') return stamp.slice(0, 10)
    const before = last.get(channel)
    const topic = before && date - before.date < topics.gap ? before.topic : stamp.slice(0, 16).replace('T', ' ')
    last.set(channel, { date, topic })
    return topic
  }
}
